import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { call } from "../../support/http.mjs";
import { audit, newOrder, place } from "../../support/orders.mjs";
import { until } from "../../support/processes.mjs";
import { auditFindings, seen } from "../../support/report.mjs";

const AT_ONCE = 50;
const POOL_SIZE = 8;

export const disconnects = {
  title: "Clients that go away leave nothing behind",
  async run(stage, { short }) {
    const { postgres, databaseUrl, products } = await stage.set();
    const count = short ? 1000 : 10_000;
    const service = await stage.start({ settings: { DATABASE_POOL_SIZE: String(POOL_SIZE) } });
    const { url } = service;
    const settled = () =>
      Promise.all(Array.from({ length: 20 }, () => call(url, { path: "/products" })));
    await settled();
    const descriptors = async () => (await readdir(`/proc/${service.pid}/fd`)).length;
    const before = await descriptors();

    let left = count;
    const client = async () => {
      while (left-- > 0) await disconnect(url, request(products));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    const busy = async () =>
      (await postgres.sessions(databaseUrl)).filter(({ state }) => state !== "idle").length;
    const rested = () => until(async () => (await busy()) === 0, 10_000, "").catch(() => undefined);
    await rested();
    await settled();
    await rested();
    await until(async () => (await descriptors()) <= before + POOL_SIZE, 5_000, "").catch(
      () => undefined,
    );
    const after = await descriptors();
    const sessions = await postgres.sessions(databaseUrl);
    const transactions = sessions.filter(({ state }) => state !== "idle");
    const usable = await usableConnections(postgres, databaseUrl, () =>
      place(url, newOrder(products)),
    );
    const { status } = await call(url, { path: "/health/ready" });
    return {
      done: `${count} clients disconnect within 10 ms of sending whole or half requests, ${AT_ONCE} at once`,
      findings: [
        seen(`transactions left ${transactions.length}`, transactions.length === 0),
        seen(
          `database sessions ${sessions.length} of a pool of ${POOL_SIZE}`,
          sessions.length <= POOL_SIZE,
        ),
        seen(`of them in use by as many requests ${usable}`, usable === POOL_SIZE),
        seen(`file descriptors ${before} before, ${after} after`, after <= before + POOL_SIZE),
        seen(`readiness ${status}`, status === 200),
        ...auditFindings(await audit(postgres, databaseUrl, [])),
      ],
    };
  },
};

/**
 * How many orders reach the database at one time. Orders share no statement, so there would be fewer if
 * the pool had lost connections.
 */
async function usableConnections(postgres, databaseUrl, order) {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE products");
  const orders = Array.from({ length: POOL_SIZE }, order);
  const busy = async () =>
    (await postgres.sessions(databaseUrl)).filter(({ state }) => state === "active").length;
  await until(async () => (await busy()) === POOL_SIZE, 1_000, "").catch(() => undefined);
  const usable = await busy();
  await holder.end();
  await Promise.all(orders);
  return usable;
}

/** One of several requests, sometimes only its first half. */
function request(products) {
  const { key, json } = newOrder(products);
  const body = JSON.stringify(json);
  const text = [
    () => "GET /products?pageSize=50 HTTP/1.1\r\nHost: torture.example\r\n\r\n",
    () =>
      `POST /orders HTTP/1.1\r\nHost: torture.example\r\nIdempotency-Key: ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ][randomInt(2)]();
  return randomInt(4) === 0 ? text.slice(0, randomInt(1, text.length)) : text;
}

async function disconnect(url, text) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  socket.write(text);
  await setTimeout(randomInt(11));
  if (randomInt(2) === 0) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}
