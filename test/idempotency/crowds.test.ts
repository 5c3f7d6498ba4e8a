import { startApp, startReplica, type TestApp } from "../support/app";
import { clause } from "../support/clause";
import { repetitions } from "../support/repetitions";
import { atGraphql, atRest, orderCount, type Door, type OrderBody, type Outcome } from "./place";

jest.setTimeout(60_000);

const KEYS = repetitions({ few: 8, all: 20 });
const AT_ONCE = 25;

let app: TestApp;
let replica: TestApp;
let products: number[];
beforeAll(async () => {
  app = await startApp();
  replica = await startReplica(app);
  products = [];
  for (const price of ["1.10", "2.20", "3.30"]) {
    products.push((await app.make.product({ price })).id);
  }
});
beforeEach(() => app.sql("DELETE FROM orders"));
afterAll(async () => {
  await replica.close();
  await app.close();
});

const bodyOf = (number: number): OrderBody => ({
  customerEmail: `customer-${number}@example.com`,
  items: products.map((productId, index) => ({ productId, quantity: number + index + 1 })),
});

/** The way that the n-th of many requests takes: every app and door in turn. */
const ways = (): [TestApp, Door][] => [
  [app, atRest],
  [replica, atGraphql],
  [replica, atRest],
  [app, atGraphql],
];

/** Sends an order as a client does that tries again while it is told that the service is busy. */
async function sent(n: number, body: OrderBody, key: string): Promise<Outcome> {
  const [target, place] = ways()[n % 4]!;
  for (let tries = 1; ; tries += 1) {
    // Either form of the key, changing independently of the way.
    const outcome = await place(target, body, { key: n % 3 === 0 ? `"${key}"` : key });
    if (outcome.status !== 503 || tries === 50) return outcome;
  }
}

clause("4.keys.at-once", "many keys at once", { doors: ["REST", "GraphQL"] }, async () => {
  const outcomes = await Promise.all(
    Array.from({ length: KEYS * AT_ONCE }, async (_, n) => {
      // Neighbours in time have different keys and equal ones alike.
      const number = n % KEYS;
      const way = Math.floor(n / KEYS);
      return { number, outcome: await sent(way, bodyOf(number), `crowd-${number}`) };
    }),
  );
  expect(outcomes.map(({ outcome }) => outcome.status)).toEqual(outcomes.map(() => 201));
  expect(await orderCount(app)).toBe(KEYS);
  for (let number = 0; number < KEYS; number += 1) {
    const email = `customer-${number}@example.com`;
    const stored = await app.sql<{ id: number }>(
      "SELECT id FROM orders WHERE customer_email = $1",
      [email],
    );
    expect(stored).toHaveLength(1);
    const answers = outcomes.filter((each) => each.number === number);
    expect(answers).toHaveLength(AT_ONCE);
    for (const { outcome } of answers) {
      expect(outcome.order).toMatchObject({ id: stored[0]!.id, customerEmail: email });
    }
    expect(new Set(answers.map(({ outcome }) => JSON.stringify(outcome.order))).size).toBe(1);
  }
  const [wrong] = await app.sql<{ count: number }>(
    `SELECT count(*)::integer AS count FROM orders WHERE total_amount <>
       (SELECT sum(quantity * unit_price) FROM order_items WHERE order_id = orders.id)
     OR (SELECT count(*) FROM order_items WHERE order_id = orders.id) <> $1`,
    [products.length],
  );
  expect(wrong).toEqual({ count: 0 });
});

clause("4.keys.at-once", "one key for many orders", { doors: ["REST", "GraphQL"] }, async () => {
  const outcomes = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => sent(n, bodyOf(n), "contended")),
  );
  const placed = outcomes.filter(({ status }) => status === 201);
  expect(placed).toHaveLength(1);
  expect(outcomes.filter(({ status }) => status === 422)).toHaveLength(AT_ONCE - 1);
  expect(await app.sql("SELECT id FROM orders")).toEqual([{ id: placed[0]!.order!.id }]);
});
