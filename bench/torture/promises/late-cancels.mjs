import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { seedDemo } from "../../support/built.mjs";
import { audit, OrderClients } from "../../support/orders.mjs";
import { auditFindings, seen } from "../../support/report.mjs";
import { tally } from "../../support/statistics.mjs";

const PRODUCTS = 60_000;
const ORDERING = 16;
const LEAVING = 4;

/** Milliseconds that a request to cancel takes. The service waits 1,000 for its confirmation. */
const [EARLIEST, LATEST] = [900, 1500];

/** The code at the beginning of a request to cancel, after its length (PostgreSQL manual, "Message Formats"). */
const CANCEL_REQUEST = 80_877_102;

export const lateCancels = {
  title: "A cancellation that comes late ends nobody else's order",
  async run(stage, { short }) {
    const { postgres, databaseUrl, products } = await stage.set();
    await seedDemo(databaseUrl, { products: PRODUCTS });
    const proxy = await delayCancels(databaseUrl, stage.cleanup);
    const { url } = await stage.start({ databaseUrl: proxy.url });
    const seconds = short ? 15 : 60;

    const ordering = new OrderClients(url, products, ORDERING, { pause: 0 });
    const end = performance.now() + seconds * 1000;
    let left = 0;
    const leave = async () => {
      while (performance.now() < end) await abandonSearch(url, (left += 1));
    };
    await Promise.all(Array.from({ length: LEAVING }, leave));
    await ordering.stop();
    const others = ordering.outcomes.filter((outcome) => outcome !== 201);
    return {
      done: `${ORDERING} clients order for ${seconds} s, while ${LEAVING} others go away from searches of ${PRODUCTS} products; requests to cancel take ${EARLIEST} to ${LATEST} ms to the database`,
      findings: [
        seen(`orders: ${tally(ordering.outcomes)}`, others.length === 0),
        seen(`searches left ${left}, cancelled late ${proxy.delayed()}`, proxy.delayed() > 0),
        ...auditFindings(await audit(postgres, databaseUrl, ordering.acknowledged)),
      ],
    };
  },
};

/** A proxy of the database that delays requests to cancel, and nothing else. */
async function delayCancels(databaseUrl, cleanup) {
  const target = new URL(databaseUrl);
  let delayed = 0;
  const server = createServer((client) => {
    client.on("error", () => undefined);
    client.once("data", async (first) => {
      const isCancel = first.readInt32BE(4) === CANCEL_REQUEST;
      if (isCancel) {
        delayed += 1;
        await setTimeout(randomInt(EARLIEST, LATEST));
      }
      const upstream = connect(Number(target.port), target.hostname);
      upstream.on("error", () => client.destroy()).on("close", () => client.destroy());
      upstream.write(first);
      upstream.pipe(client);
      if (!isCancel) client.on("close", () => upstream.destroy()).pipe(upstream);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanup.add(() => server.close());
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(/** @type {import("node:net").AddressInfo} */ (server.address()).port);
  return { url: url.href, delayed: () => delayed };
}

/** Asks for a page that no index finds, and disconnects before the answer. */
async function abandonSearch(url, number) {
  const { hostname, port } = new URL(url);
  const query = `{ products(page: ${number}, filter: { search: "zq" }) { data { id } } }`;
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(
    `GET /graphql?query=${encodeURIComponent(query)} HTTP/1.1\r\nHost: torture.example\r\n\r\n`,
  );
  await setTimeout(randomInt(5, 40));
  const closed = once(socket, "close");
  socket.destroy();
  await closed;
}
