import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { expectRefused } from "../support/refusals";
import { everythingStored, storingNothing } from "../support/stored";

/** Active products at 1.00, in id order. */
let active: number[];
let inactive: number;
const app = useApp();
beforeAll(async () => {
  const { category_id, id } = await app.make.product({ is_active: false });
  inactive = id;
  const rows = await app.sql<{ id: number }>(
    `INSERT INTO products (name, slug, price, is_active, category_id)
     SELECT 'Tea', 'tea-' || number, 1, true, $1 FROM generate_series(1, 101) AS number
     RETURNING id`,
    [category_id],
  );
  active = rows.map((row) => row.id).toSorted((one, other) => one - other);
});

const place = (body: object) => app.http.post("/orders").send(body);
const order = (items: unknown) => ({ customerEmail: "customer@example.com", items });
const one = (item: object) => order([{ productId: active[0], quantity: 1, ...item }]);

/** Expects exactly these messages, and nothing to be stored. */
async function expectRefusedOrder(sent: object, message: string[]): Promise<void> {
  expectRefused(await storingNothing(app, () => place(sent)), 400, message);
}

clause(
  "4.orders.place",
  "POST /orders needs no credentials and answers 201, without Location",
  async () => {
    const { status, headers, body } = await place(one({ quantity: "2" }));
    expect([status, body.items]).toEqual([
      201,
      [
        {
          id: expect.any(Number),
          orderId: body.id,
          productId: active[0],
          quantity: 2,
          unitPrice: "1.00",
        },
      ],
    ]);
    expect(headers).not.toHaveProperty("location");
  },
);

clause("4.orders.place", "items are answered in the order in which they were sent", async () => {
  const [a, b, c, d] = active;
  const productIds = [c, a, d, b];
  const { body } = await place(order(productIds.map((productId) => ({ productId, quantity: 1 }))));
  expect(body.items.map((item: { productId: number }) => item.productId)).toEqual(productIds);
  const [first, second] = body.items;
  expect(first.id).toBeLessThan(second.id);
});

clause("4.orders.place", "100 items are accepted", async () => {
  const items = active.slice(0, 100).map((productId) => ({ productId, quantity: 1 }));
  const { status, body } = await place(order(items));
  expect([status, body.totalAmount, body.items.length]).toEqual([201, "100.00", 100]);
});

clause("4.orders.1", "101 items are refused", async () => {
  const items = active.map((productId) => ({ productId, quantity: 1 }));
  await expectRefusedOrder(order(items), ["items must contain no more than 100 elements"]);
});

const NO_LIST = "items must be an array";

clauseEach<[items: unknown, messages: string[]]>(
  "4.orders.1",
  "an order must contain at least one item, each an object",
  {
    missing: [undefined, [NO_LIST]],
    null: [null, [NO_LIST]],
    "an object": [{ productId: 1, quantity: 1 }, [NO_LIST]],
    text: ["[]", [NO_LIST]],
    empty: [[], ["items must contain at least 1 elements"]],
    "of null": [[null], ["items.0 must be an object"]],
    "of lists": [
      [[], [{}]],
      ["items.0 must be an object", "items.1 must be an object"],
    ],
    "of ids": [
      [1, "2"],
      ["items.0 must be an object", "items.1 must be an object"],
    ],
  },
  ([items, messages]) => expectRefusedOrder(order(items), messages),
);

clauseEach(
  "4.orders.2",
  "a product that does not exist is refused by its id",
  {
    "no such id": 2_000_000_000,
    "the greatest id": 2_147_483_647,
    "beyond 32 bits": 2_147_483_648,
    "2^53-1": 9_007_199_254_740_991,
  },
  (productId) =>
    expectRefusedOrder(one({ productId }), [
      `items.0.productId ${productId} does not reference an active product`,
    ]),
);

clause("4.orders.2", "every inactive or unknown product is named, in the order sent", async () => {
  const items = [2_000_000_001, active[0], inactive, 2_147_483_648].map((productId) => ({
    productId,
    quantity: 1,
  }));
  await expectRefusedOrder(order(items), [
    "items.0.productId 2000000001 does not reference an active product",
    `items.2.productId ${inactive} does not reference an active product`,
    "items.3.productId 2147483648 does not reference an active product",
  ]);
});

clause("4.orders.2", "a product can be ordered from when it is active", async () => {
  const { id: productId } = await app.make.product({ is_active: false });
  expect((await place(one({ productId }))).status).toBe(400);
  await app.http
    .patch(`/products/${productId}/status`)
    .set("Authorization", app.asAdmin)
    .send({ isActive: true });
  expect((await place(one({ productId }))).status).toBe(201);
});

clause("4.orders.3", "each repetition of a product is named", async () => {
  const [a, b] = active;
  const items = [a, b, a, String(a)].map((productId) => ({ productId, quantity: 1 }));
  await expectRefusedOrder(order(items), [
    `items.2.productId ${a} occurs more than once`,
    `items.3.productId ${a} occurs more than once`,
  ]);
});

clause("4.orders.3", "a repetition is found in the largest order, too", async () => {
  const productIds = [...active.slice(0, 99), active[0]];
  const items = productIds.map((productId) => ({ productId, quantity: 1 }));
  await expectRefusedOrder(order(items), [`items.99.productId ${active[0]} occurs more than once`]);
});

const NO_INTEGER = "must be an integer number";
const LEAST = "must not be less than 1";
const MOST = "must not be greater than 2147483647";

clauseEach<[quantity: unknown, faults: string[]]>(
  "4.orders.4",
  "a quantity is an integer from 1 to 2,147,483,647",
  {
    missing: [undefined, [NO_INTEGER, LEAST]],
    "0": [0, [LEAST]],
    "-1": [-1, [LEAST]],
    "2.5": [2.5, [NO_INTEGER]],
    text: ["one", [NO_INTEGER, LEAST]],
    "2147483648": [2_147_483_648, [MOST]],
    '"2147483648"': ["2147483648", [MOST]],
    "1e308": [1e308, [MOST]],
  },
  async ([quantity, faults]) => {
    const before = await everythingStored(app);
    const { status, body } = await place(one({ quantity }));
    expect([status, body.message.toSorted()]).toEqual([
      400,
      faults.map((fault) => `items.0.quantity ${fault}`),
    ]);
    expect(await everythingStored(app)).toEqual(before);
  },
);

clause(
  "4.orders.4",
  "a quantity that no integer column holds is refused at price 0 too",
  async () => {
    const { id: productId } = await app.make.product({ price: "0.00" });
    await expectRefusedOrder(one({ productId, quantity: 2_147_483_648 }), [
      `items.0.quantity ${MOST}`,
    ]);
    expect((await place(one({ productId, quantity: 2_147_483_647 }))).body.totalAmount).toBe(
      "0.00",
    );
  },
);

clauseEach<[item: object, messages: string[]]>(
  "4.orders.item",
  "faults of an item carry its path",
  {
    "an unknown property": [{ foo: 1 }, ["items.1.property foo should not exist"]],
    "product 0": [{ productId: 0 }, [`items.1.productId ${LEAST}`]],
    "quantity 0": [{ quantity: 0 }, [`items.1.quantity ${LEAST}`]],
  },
  ([item, messages]) =>
    expectRefusedOrder(
      order([
        { productId: active[0], quantity: 1 },
        { productId: active[1], quantity: 1, ...item },
      ]),
      messages,
    ),
);

clause(
  "4.orders.item",
  "shape, bounds and repetition are judged in one list, before products",
  async () => {
    const [a] = active;
    const sent = {
      customerEmail: "nobody",
      coupon: "TEA",
      items: [
        { productId: 2_000_000_000, quantity: 1 },
        { productId: inactive, quantity: 0 },
        { productId: a, quantity: 1 },
        { productId: a, quantity: 1, unitPrice: "0.01" },
      ],
    };
    await expectRefusedOrder(sent, [
      "property coupon should not exist",
      "customerEmail must be an email",
      `items.1.quantity ${LEAST}`,
      "items.3.property unitPrice should not exist",
      `items.3.productId ${a} occurs more than once`,
    ]);
  },
);

clauseEach<[price: string, quantity: number]>(
  "4.orders.5",
  "a total above 99,999,999.99 is refused and nothing is stored",
  {
    "by a cent": ["50000000.00", 2],
    "by one price and much": ["99999999.99", 2_147_483_647],
    "by a quantity": ["0.05", 2_147_483_647],
  },
  async ([price, quantity]) => {
    const { id: productId } = await app.make.product({ price });
    await expectRefusedOrder(one({ productId, quantity }), [
      "totalAmount must not exceed 99999999.99",
    ]);
  },
);

clause("4.orders.5", "a total above the limit by the sum of its items is refused", async () => {
  const { id: productId } = await app.make.product({ price: "99999999.99" });
  const { id: cent } = await app.make.product({ price: "0.01" });
  const items = [productId, cent].map((each) => ({ productId: each, quantity: 1 }));
  await expectRefusedOrder(order(items), ["totalAmount must not exceed 99999999.99"]);
});
