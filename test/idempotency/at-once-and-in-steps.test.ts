import { Client } from "pg";
import { startApp, startReplica, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import type { Answer } from "../support/raw-http";
import { orderCount, post, storedKeys, type OrderBody } from "./place";

// An order under a key that has expired is placed in steps. Here its key is forgotten while the steps are
// held, so that another process, which gets the same order, may place it at once.

let app: TestApp;
let replica: TestApp;
let holder: Client;
let body: OrderBody;
beforeEach(async () => {
  app = await startApp();
  replica = await startReplica(app);
  const { id } = await app.make.product();
  body = { customerEmail: "mina@example.com", items: [{ productId: id, quantity: 1 }] };
  await app.make.order();
  await app.sql(
    `INSERT INTO idempotency_keys (key, fingerprint, order_id, created_at)
     SELECT 'met', 'x', id, '2000-01-01' FROM orders`,
  );
  holder = new Client({ connectionString: app.database.url });
  await holder.connect();
});
afterEach(async () => {
  await holder.end();
  await replica.close();
  await app.close();
});

const send = (to: TestApp) => post(to, body, { key: "met" });
const forgetKey = () => app.sql("DELETE FROM idempotency_keys");

/** Resolves when so many sessions wait for an advisory lock, or for the end of another transaction. */
const waiting = (lock: "advisory" | "transactionid", count: number) =>
  eventually(async () => (await waitingForLocks(app, lock)) === count);

/** Expects that one order was placed, which `replay` repeats. */
async function expectReplay(first: Answer, replay: Answer): Promise<void> {
  expect([first.status, first.headers["idempotent-replayed"]]).toEqual([201, undefined]);
  expect([replay.status, replay.headers["idempotent-replayed"]]).toEqual([201, "true"]);
  expect(replay.text).toBe(first.text);
  expect(await orderCount(app)).toBe(2); // with the one that had the key before
  expect(await storedKeys(app)).toEqual(["met"]);
}

test("steps that have not come to the key find the order that was placed at once", async () => {
  await holder.query("SELECT pg_advisory_lock(hashtextextended('met', 0))");
  const inSteps = send(app);
  await waiting("advisory", 1);
  await forgetKey();
  const atOnce = await send(replica);
  await holder.query("SELECT pg_advisory_unlock_all()");
  await expectReplay(atOnce, await inSteps);
});

test("steps that have found the key free give way to the order that was placed at once", async () => {
  await app.sql(`
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END';
    CREATE TRIGGER hold BEFORE INSERT ON orders FOR EACH ROW
      WHEN (current_query() LIKE 'INSERT%') EXECUTE FUNCTION hold()`);
  await holder.query("SELECT pg_advisory_lock(1)");
  const inSteps = send(app);
  await waiting("advisory", 1);
  await forgetKey();
  const atOnce = await send(replica);
  await holder.query("SELECT pg_advisory_unlock_all()");
  await expectReplay(atOnce, await inSteps);
});

test("an order that would be placed at once waits for steps that have stored the key", async () => {
  await holder.query("SELECT pg_advisory_lock(hashtextextended('met', 0))");
  const inSteps = send(app);
  await waiting("advisory", 1);
  await forgetKey();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM products FOR UPDATE");
  await holder.query("SELECT pg_advisory_unlock_all()");
  await waiting("transactionid", 1);
  const atOnce = send(replica);
  await waiting("transactionid", 2);
  await holder.query("COMMIT");
  await expectReplay(await inSteps, await atOnce);
});

test("requests that wait for another one of their key leave the connections to other customers", async () => {
  const pair = await startReplica(app, { database: { poolSize: 2, acquireTimeout: 1_000 } });
  const next = new Client({ connectionString: app.database.url });
  await next.connect();
  const lock = "SELECT pg_advisory_lock(hashtextextended('met', 0))";
  // One by one, as a request with a key gives its connection back before it takes one to wait for the key.
  const otherOrders = async () => {
    for (let n = 0; n < 3; n += 1) expect((await post(pair, body)).status).toBe(201);
  };
  try {
    await holder.query(lock);
    const first = send(pair);
    await waiting("advisory", 1);
    const second = send(pair);
    await otherOrders();
    const heldAgain = next.query(lock);
    await waiting("advisory", 2);
    await holder.query("SELECT pg_advisory_unlock_all()");
    await heldAgain;
    expect((await first).status).toBe(201);

    await waiting("advisory", 1);
    const third = send(pair);
    await otherOrders();
    await next.query("SELECT pg_advisory_unlock_all()");
    const texts = await Promise.all([first, second, third].map(async (each) => (await each).text));
    expect(new Set(texts).size).toBe(1);
  } finally {
    await next.end();
    await pair.close();
  }
});
