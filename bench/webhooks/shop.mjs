import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createEndpoint, signIn } from "../support/administrator.mjs";
import { orderableProducts } from "../support/orders.mjs";
import { freePort, Service } from "../support/service.mjs";

const ADMIN = { email: "admin@bench.example", password: "the right password" };

/** A receiver that takes whatever comes, and counts it. */
export async function startReceiver(cleanup) {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      receiver.count += 1;
      response.writeHead(204).end();
    });
  });
  const receiver = { count: 0, url: "" };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  receiver.url = `http://127.0.0.1:${port}/`;
  cleanup.add(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}

/** A database with services on it. */
export class Shop {
  #postgres;
  #cleanup;
  #secret = randomBytes(32).toString("hex");

  static async create(postgres, cleanup) {
    const databaseUrl = await postgres.createDatabase();
    const products = await orderableProducts(postgres, databaseUrl);
    return new Shop(postgres, cleanup, databaseUrl, products);
  }

  constructor(postgres, cleanup, databaseUrl, products) {
    this.#postgres = postgres;
    this.#cleanup = cleanup;
    this.databaseUrl = databaseUrl;
    this.products = products;
  }

  sql(text, values) {
    return this.#postgres.sql(this.databaseUrl, text, values);
  }

  /** Starts a service that can serve, with its metrics at `metricsUrl`. */
  async start(settings = {}) {
    const [port, metrics] = [await freePort(), await freePort()];
    const all = {
      ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
      ...{ DATA_SECRET: this.#secret, WEBHOOK_PRIVATE_ADDRESSES: "on" },
      ...{ METRICS: `127.0.0.1:${metrics}`, ...settings },
    };
    const { databaseUrl } = this;
    const service = new Service({ databaseUrl, port, settings: all }, this.#cleanup);
    await service.ready();
    return Object.assign(service, { metricsUrl: `http://127.0.0.1:${metrics}` });
  }

  /** Creates so many endpoints, of all types, for one receiver. */
  async createEndpoints(url, count) {
    const service = await this.start({ DISPATCH: "off" });
    const headers = await signIn(service.url, ADMIN);
    for (let number = 0; number < count; number += 1) {
      await createEndpoint(service.url, headers, url);
    }
    await service.stop();
  }
}
