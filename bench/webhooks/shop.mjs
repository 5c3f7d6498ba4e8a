import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { ADMIN_SETTINGS, createEndpoint, signIn } from "../support/administrator.mjs";
import { freePort, HOST } from "../support/service.mjs";
import { Stage } from "../torture/stage.mjs";

/** A receiver that takes whatever comes, and counts it. */
export async function startReceiver(cleanup) {
  const receiver = { count: 0, url: `http://${HOST}:${await freePort()}/` };
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      receiver.count += 1;
      response.writeHead(204).end();
    });
  });
  server.listen(Number(new URL(receiver.url).port), HOST);
  await once(server, "listening");
  cleanup.add(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}

const DATA_SECRET = randomBytes(32).toString("hex");

/** A database with services on it, each with its metrics at `metricsUrl`. */
export class Shop extends Stage {
  /** @override */
  async start(others = {}) {
    const metrics = `${HOST}:${await freePort()}`;
    const own = { DATA_SECRET, WEBHOOK_PRIVATE_ADDRESSES: "on", METRICS: metrics };
    const settings = { ...ADMIN_SETTINGS, ...own, ...others };
    const service = await super.start({ port: await freePort(), settings });
    return Object.assign(service, { metricsUrl: `http://${metrics}` });
  }

  /** Creates so many endpoints, of all types, for one receiver. */
  async createEndpoints(url, count) {
    const service = await this.start({ DISPATCH: "off" });
    const headers = await signIn(service.url);
    for (let left = count; left > 0; left -= 1) await createEndpoint(service.url, headers, url);
    await service.stop();
  }
}
