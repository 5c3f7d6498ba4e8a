import { dataOf } from "../graphql/client";
import { useApp } from "../support/app";
import { clause, clauseEach, graphqlClause } from "../support/clause";
import { everythingStored } from "../support/stored";
import {
  atGraphql,
  atRest,
  doors,
  orderCount,
  post,
  storedKeys,
  type OrderAnswer,
  type OrderBody,
} from "./place";
import { expectRefused, extensionsOf } from "../support/refusals";

jest.setTimeout(60_000);

let body: OrderBody;
let serial = 0;
const app = useApp();
beforeEach(async () => {
  const products = [
    await app.make.product({ price: "4.20" }),
    await app.make.product({ price: "7.05" }),
  ];
  const items = products.reverse().map(({ id }, index) => ({ productId: id, quantity: index + 1 }));
  body = { customerEmail: "mina@example.com", items };
});

const newKey = (): string => `key-${(serial += 1)}`;

clause("4.keys.replay", "the same again at REST is answered alike to the byte", async () => {
  const key = newKey();
  const first = await post(app, body, { key });
  const before = await everythingStored(app);
  const again = await post(app, body, { key });
  expect(first.headers).not.toHaveProperty("idempotent-replayed");
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(await everythingStored(app)).toEqual(before);
});

graphqlClause("4.keys.replay", "the same again at GraphQL is the same order", async () => {
  const key = newKey();
  const first = await atGraphql(app, body, { key });
  const before = await everythingStored(app);
  expect(await atGraphql(app, body, { key })).toEqual(first);
  expect(await everythingStored(app)).toEqual(before);
});

clause("4.keys.same", "equal is what is equal after conversion", async () => {
  const key = newKey();
  const first = await post(app, body, { key });
  const items = body.items.map(({ productId, quantity }) => ({
    quantity: `0${quantity}`,
    productId: String(productId),
  }));
  const again = await post(app, { items, customerEmail: body.customerEmail }, { key });
  expect(again.text).toBe(first.text);
});

test("hours later it is still the first answer, wherever the database keeps its items by now", async () => {
  const key = newKey();
  const first = await post(app, body, { key });
  const [{ id }] = (first.body as { items: [{ id: number }] }).items;
  await app.sql(
    `WITH moved AS (DELETE FROM order_items WHERE id = $1 RETURNING *)
     INSERT INTO order_items SELECT * FROM moved`,
    [id],
  );
  await app.sql(
    "UPDATE idempotency_keys SET created_at = now() - interval '23 hours 59 minutes' WHERE key = $1",
    [key],
  );
  expect((await post(app, body, { key })).text).toBe(first.text);
  expect((await atGraphql(app, body, { key })).order).toEqual(first.body);
});

test.each(["PAID", "CANCELLED"])("an order that is %s by now", async (status) => {
  const key = newKey();
  const first = await post(app, body, { key });
  const { id } = first.body as OrderAnswer;
  await dataOf(app, `mutation { setOrderStatus(id: ${id}, status: ${status}) { status } }`);
  const again = await post(app, body, { key });
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect((again.body as OrderAnswer).status).toBe("PENDING");
  const { order } = await atGraphql(app, body, { key });
  expect(order).toEqual({ ...(first.body as object), status });
  const [stored] = await app.sql("SELECT status FROM orders WHERE id = $1", [id]);
  expect(stored).toEqual({ status });
});

test.each([
  ["deactivated", "UPDATE products SET is_active = false WHERE id = $1"],
  ["repriced", "UPDATE products SET price = 99.99 WHERE id = $1"],
])("a product that is %s by now changes nothing of the first answer", async (_label, change) => {
  const key = newKey();
  const first = await post(app, body, { key, expectedTotal: "15.45" });
  expect(first.status).toBe(201);
  await app.sql(change, [body.items[0]!.productId]);
  const orders = await orderCount(app);
  expect((await post(app, body, { key, expectedTotal: "15.45" })).text).toBe(first.text);
  const { order } = await atGraphql(app, body, { key, expectedTotal: "15.45" });
  expect(order).toEqual(first.body);
  expect(await orderCount(app)).toBe(orders);
});

const others: Record<string, (body: OrderBody) => [body: OrderBody, expectedTotal?: string]> = {
  "another quantity": (sent) => [
    { ...sent, items: sent.items.map((item) => ({ ...item, quantity: 9 })) },
  ],
  "fewer items": (sent) => [{ ...sent, items: sent.items.slice(1) }],
  "another order of items": (sent) => [{ ...sent, items: sent.items.toReversed() }],
  "another customer": (sent) => [{ ...sent, customerEmail: "nils@example.com" }],
  "an address in another letter case": (sent) => [{ ...sent, customerEmail: "MINA@example.com" }],
  "an expected total": (sent) => [sent, "15.45"],
  "an expected total that is wrong": (sent) => [sent, "1.00"],
  "a product that does not exist": (sent) => [
    { ...sent, items: [{ productId: 2_000_000_000, quantity: 1 }] },
  ],
};

clauseEach(
  "4.keys.same",
  "another request under a key is refused at both doors, without a word about the first order",
  { doors: ["REST", "GraphQL"] },
  others,
  async (change) => {
    const key = newKey();
    const first = await post(app, body, { key });
    const before = await everythingStored(app);
    const [other, expectedTotal] = change(body);
    const message = "Idempotency-Key was used for another request";
    const refused = await post(app, other, { key, expectedTotal });
    expectRefused(refused, 422, message);
    expect(refused.headers).not.toHaveProperty("idempotent-replayed");
    const { order, error } = await atGraphql(app, other, { key, expectedTotal });
    expect(order).toBeUndefined();
    expect(error).toEqual(
      expect.objectContaining({ message, extensions: extensionsOf(422, message) }),
    );
    expect(await everythingStored(app)).toEqual(before);
    expect((await post(app, body, { key })).text).toBe(first.text);
  },
);

clauseEach(
  "4.keys.refused",
  "a refused order leaves its key free",
  { doors: ["REST", "GraphQL"] },
  doors,
  async (place) => {
    const key = newKey();
    const keys = await storedKeys(app);
    const [item] = body.items;
    const refusals = [
      { body: { ...body, customerEmail: "none" }, status: 400 },
      { body: { ...body, items: [] }, status: 400 },
      { body: { ...body, items: [item!, item!] }, status: 400 },
      { body: { ...body, items: [{ productId: 2_000_000_000, quantity: 1 }] }, status: 400 },
      { body: { ...body, items: [{ ...item!, quantity: 2_000_000_000 }] }, status: 400 },
      { body, expectedTotal: "0.01", status: 409 },
    ];
    for (const { body: refused, expectedTotal, status } of refusals) {
      expect((await place(app, refused, { key, expectedTotal })).status).toBe(status);
    }
    expect(await storedKeys(app)).toEqual(keys);
    expect((await place(app, body, { key })).status).toBe(201);
    expect((await atRest(app, body, { key })).status).toBe(201);
  },
);
