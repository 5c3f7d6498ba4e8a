/** @check */

import { Client } from "pg";
import { doors, type Door, type OrderBody, type Terms } from "../idempotency/place";
import { startApp, type TestApp } from "../support/app";
import { everythingStored } from "../support/stored";

jest.setTimeout(60_000);

// An order against which nothing stands is placed by one statement; any other leaves no trace of it.

let app: TestApp;
let spy: jest.SpyInstance;
let serial = 0;
beforeAll(async () => {
  app = await startApp({ database: { poolSize: 1 } });
  await app.http.get("/products"); // opens the connection
  spy = jest.spyOn(Client.prototype, "query");
});
afterAll(async () => {
  spy.mockRestore();
  await app.close();
});

const newKey = (): string => `key-${(serial += 1)}`;

/** An order of so many products, the newest first. */
async function orderOf(count: number): Promise<OrderBody> {
  const { id: category_id } = await app.make.category();
  const items = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = await app.make.product({ price: "2.50", category_id });
    items.unshift({ productId: id, quantity: 1 });
  }
  return { customerEmail: "mina@example.com", items };
}

/** Sends an order to a door; the outcome and the number of the statements that it took. */
async function sent(door: Door, body: OrderBody, terms: Terms) {
  spy.mockClear();
  const outcome = await door(app, body, terms);
  return { ...outcome, statements: spy.mock.calls.length };
}

describe.each(Object.entries(doors))("at %s", (_door, door) => {
  test.each<[label: string, count: number, terms: () => Terms]>([
    ["an order", 3, () => ({})],
    ["the largest order", 100, () => ({})],
    ["an order under a new key", 3, () => ({ key: newKey() })],
    ["an order at its expected total", 3, () => ({ expectedTotal: "7.50" })],
  ])("%s takes one statement", async (_label, count, terms) => {
    const body = await orderOf(count);
    const { status, order, statements } = await sent(door, body, terms());
    expect([status, statements]).toEqual([201, 1]);
    expect(order).toMatchObject({ totalAmount: (2.5 * count).toFixed(2), status: "PENDING" });
    const stored = await app.sql(
      `SELECT product_id AS "productId", quantity FROM order_items WHERE order_id = $1 ORDER BY id`,
      [order!.id],
    );
    expect(stored).toEqual(body.items);
  });
});

test("an order reads no other products than its own, though a thousand would be quickly read", async () => {
  const body = await orderOf(3);
  await app.sql(`INSERT INTO products (name, slug, price, is_active, category_id)
    SELECT 'Tea ' || n, 'small-' || n, 1, true, category_id
    FROM generate_series(1, 1000) n, (SELECT max(id) AS category_id FROM categories) AS category`);
  await app.sql("VACUUM ANALYZE products");
  await sent(doors.REST!, body, {});
  const [{ text, values }] = spy.mock.calls[0] as [{ text: string; values: unknown[] }];
  const [row] = await app.sql<{ "QUERY PLAN": object }>(`EXPLAIN (FORMAT JSON) ${text}`, values);
  const plan = JSON.stringify(row!["QUERY PLAN"]);
  expect(plan).toContain("products_pkey");
  expect(plan).not.toContain("Seq Scan");
});

test("orders that are refused take no number from the orders that follow", async () => {
  const body = await orderOf(2);
  const first = await doors.REST!(app, body);
  const [item] = body.items;
  const { id: inactive } = await app.make.product({ is_active: false });
  const before = await everythingStored(app);
  const others: [status: number, body: OrderBody, terms: Terms][] = [
    [409, body, { expectedTotal: "5.01" }],
    [400, { ...body, items: [item!, { productId: inactive, quantity: 1 }] }, { key: newKey() }],
    [400, { ...body, items: [item!, { productId: 2_000_000_000, quantity: 1 }] }, {}],
    [400, { ...body, items: [{ ...item!, quantity: 2_147_483_647 }] }, {}],
  ];
  for (const [status, other, terms] of others) {
    for (const door of Object.values(doors)) {
      expect((await door(app, other, terms)).status).toBe(status);
    }
  }
  expect(await everythingStored(app)).toEqual(before);
  const next = await doors.REST!(app, body);
  expect(next.order!.id).toBe(first.order!.id + 1);
});
