import { Client } from "pg";
import { startApp, startReplica, type TestApp } from "../support/app";
import { clause } from "../support/clause";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { orderCount, post, storedKeys, type OrderBody } from "./place";

// Orders under one key, the first of which waits in the database: for its product, whose row the test has locked.

let app: TestApp;
let replica: TestApp;
let holder: Client;
let body: OrderBody;
let other: OrderBody;
const orderOf = (productId: number): OrderBody => ({
  customerEmail: "mina@example.com",
  items: [{ productId, quantity: 1 }],
});
beforeAll(async () => {
  app = await startApp();
  replica = await startReplica(app, { database: { poolSize: 2, acquireTimeout: 1_000 } });
  holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  body = orderOf((await app.make.product()).id);
  other = orderOf((await app.make.product()).id);
});
beforeEach(() => holder.query("BEGIN"));
afterEach(() => holder.query("ROLLBACK"));
afterAll(async () => {
  await holder.end();
  await replica.close();
  await app.close();
});

const hold = () =>
  holder.query("SELECT FROM products WHERE id = $1 FOR UPDATE", [body.items[0]!.productId]);

/** Resolves when so many sessions wait for the end of another transaction. */
const waiting = (count: number) =>
  eventually(async () => (await waitingForLocks(app, "transactionid")) === count);

clause("4.keys.at-once", "an order waits for that of another process under its key", async () => {
  await hold();
  const first = post(app, body, { key: "met" });
  await waiting(1);
  const second = post(replica, body, { key: "met" });
  await waiting(2);
  await holder.query("COMMIT");
  const [placed, replay] = [await first, await second];
  expect([placed.status, placed.headers["idempotent-replayed"]]).toEqual([201, undefined]);
  expect([replay.status, replay.headers["idempotent-replayed"]]).toEqual([201, "true"]);
  expect(replay.text).toBe(placed.text);
  expect([await orderCount(app), await storedKeys(app)]).toEqual([1, ["met"]]);
});

test("requests that wait for another one of their key leave the connections to other customers", async () => {
  await hold();
  const crowd = Array.from({ length: 5 }, () => post(replica, body, { key: "crowded" }));
  await waiting(1);
  for (let n = 0; n < 3; n += 1) expect((await post(replica, other)).status).toBe(201);
  expect(await waitingForLocks(app, "transactionid")).toBe(1);
  await holder.query("COMMIT");
  const answers = await Promise.all(crowd);
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(201);
});
