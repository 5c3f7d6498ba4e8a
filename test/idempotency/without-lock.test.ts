/** @check */

import { KeyTurns } from "../../src/services/orders/idempotency-keys";
import { startApp, startReplica, type TestApp } from "../support/app";
import { query } from "../support/database";
import { doors, orderCount, post, storedKeys, type OrderBody, type Outcome } from "./place";

// A key is kept from being used twice by its row alone: here nothing makes requests of one key wait for
// each other, neither in the process nor in the database.

const AT_ONCE = 50;
const TTL = 3600;

let app: TestApp;
let replica: TestApp;
let body: OrderBody;
let inTurn: jest.SpyInstance;
beforeAll(async () => {
  inTurn = jest.spyOn(KeyTurns.prototype, "run").mockImplementation((_key, task) => task());
  app = await startApp({ idempotencyKeys: { ttl: TTL } });
  replica = await startReplica(app);
  // Found before PostgreSQL's own function of this name, on connections that are opened from now on.
  await app.sql(
    `CREATE FUNCTION public.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE sql AS ''`,
  );
  const name = app.database.name;
  await app.sql(`ALTER DATABASE ${name} SET search_path = public, pg_catalog`);
  const { id } = await app.make.product();
  body = { customerEmail: "mina@example.com", items: [{ productId: id, quantity: 1 }] };
});
beforeEach(() => app.sql("DELETE FROM orders"));
afterAll(async () => {
  await replica.close();
  await app.close();
  inTurn.mockRestore();
});

/** Sends orders at once, over both doors of two apps. */
const crowd = (bodyOf: (n: number) => OrderBody, key: string): Promise<Outcome[]> =>
  Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => {
      const place = n % 2 === 0 ? doors.REST! : doors.GraphQL!;
      return place(n % 4 < 2 ? app : replica, bodyOf(n), { key });
    }),
  );

test("the database's lock is out of order indeed", async () => {
  const rows = await query<{ schema: string }>(
    app.database.url,
    `SELECT pronamespace::regnamespace::text AS schema FROM pg_proc
     WHERE oid = 'pg_advisory_xact_lock(bigint)'::regprocedure`,
  );
  expect(rows).toEqual([{ schema: "public" }]);
});

test(`${AT_ONCE} equal requests are ${AT_ONCE} equal answers and one order`, async () => {
  const outcomes = await crowd(() => body, "crowd");
  expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 201));
  expect(new Set(outcomes.map(({ order }) => JSON.stringify(order))).size).toBe(1);
  expect(await orderCount(app)).toBe(1);
  expect((await post(app, body, { key: "crowd" })).headers["idempotent-replayed"]).toBe("true");
});

test("of different requests under one key one is placed, the others are refused", async () => {
  const outcomes = await crowd(
    (n) => ({ ...body, customerEmail: `customer-${n}@example.com` }),
    "contended",
  );
  expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(outcomes.filter(({ status }) => status === 422)).toHaveLength(AT_ONCE - 1);
  expect(await orderCount(app)).toBe(1);
});

test("an expired key places one new order, however many ask", async () => {
  const first = await post(app, body, { key: "again" });
  await app.sql("UPDATE idempotency_keys SET created_at = now() - make_interval(secs => $1)", [
    TTL + 1,
  ]);
  const outcomes = await crowd(() => body, "again");
  expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 201));
  const ids = new Set(outcomes.map(({ order }) => order?.id));
  expect(ids.size).toBe(1);
  expect([...ids]).not.toContain((first.body as { id: number }).id);
  expect(await orderCount(app)).toBe(2);
  expect(await storedKeys(app)).toEqual(["again"]);
});
