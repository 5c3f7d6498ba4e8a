import { once } from "node:events";
import { Client } from "pg";
import { useApp } from "../support/app";
import { openSocket, send } from "../support/raw-http";
import { auditOrders, newOrder, NOTHING_WRONG } from "./orders";
import { eventually } from "../support/eventually";

const POOL_SIZE = 3;
const CLIENTS = 60;

let productId: number;
const app = useApp({
  database: { poolSize: POOL_SIZE },
  catalogue: { cache: false },
});
beforeAll(async () => {
  productId = (await app.make.product()).id;
});

/** What holds connections of the pool. */
const sessions = () =>
  app.sql<{ state: string; lock: string | null }>(
    `SELECT state, wait_event_type AS lock FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'tea-shop'`,
  );

async function sendAndLeave(bytes: string): Promise<void> {
  const socket = openSocket(app.url);
  await once(socket, "connect");
  await new Promise((resolve) => socket.write(bytes, resolve));
  socket.destroy();
}

function orderAsBytes(): string {
  const { key, body } = newOrder(productId);
  return (
    `POST /orders HTTP/1.1\r\nHost: example.com\r\nIdempotency-Key: ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

test("clients that go away before their answer leave no connection and no transaction behind", async () => {
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM products WHERE id = $1 FOR UPDATE", [productId]);
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, index) => {
      const bytes = orderAsBytes();
      return sendAndLeave(index % 3 === 0 ? bytes.slice(0, bytes.length / 2) : bytes);
    }),
  );
  await eventually(async () => (await sessions()).some(({ lock }) => lock === "Lock"));
  await holder.query("ROLLBACK");
  await holder.end();
  await expectNothingOpen();
  expect(await auditOrders(app.database.url, [])).toEqual(NOTHING_WRONG);
});

/** No transaction is left open, and every connection of the pool can be used. */
async function expectNothingOpen(): Promise<void> {
  await eventually(async () => (await sessions()).every(({ state }) => state === "idle"));
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE products");
  const reads = Array.from({ length: POOL_SIZE + 1 }, (_, index) =>
    send(app.url, { method: "GET", path: `/products?page=${index + 1}` }),
  );
  const waiting = async () => (await sessions()).filter(({ lock }) => lock === "Lock").length;
  await eventually(async () => (await waiting()) === POOL_SIZE);
  expect(await sessions()).toHaveLength(POOL_SIZE);
  await holder.end();
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
}
