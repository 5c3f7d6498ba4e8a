import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { parsedLog } from "../support/log-lines";
import { expectRefused } from "../support/refusals";
import { everythingStored } from "../support/stored";

const app = useApp();

/** Headers of an order. Under a key that has expired it is placed step by step. */
type OrderTerms = Record<string, string>;
const ways: Record<string, OrderTerms> = {
  "in one statement": {},
  "in steps": { "Idempotency-Key": "expired" },
};

async function expireKey(): Promise<void> {
  const { id } = await app.make.order();
  await app.sql(
    `INSERT INTO idempotency_keys (key, fingerprint, order_id, created_at)
     VALUES ('expired', 'x', $1, '2000-01-01')
     ON CONFLICT (key) DO UPDATE SET created_at = excluded.created_at`,
    [id],
  );
}

const place = (items: object[], customerEmail = "customer@example.com") =>
  app.http.post("/orders").send({ customerEmail, items });

clauseEach<OrderTerms>(
  "3.1",
  "a valid order is stored as PENDING together with all its items",
  ways,
  async (terms) => {
    await expireKey();
    const [first, second] = [
      await app.make.product({ price: "12.50" }),
      await app.make.product({ price: "0.99" }),
    ];
    const { status, body } = await place([
      { productId: second.id, quantity: 3 },
      { productId: first.id, quantity: 2 },
    ]).set(terms);
    expect([status, body.status]).toEqual([201, "PENDING"]);
    expect(await app.sql("SELECT * FROM orders WHERE id = $1", [body.id])).toEqual([
      {
        id: body.id,
        customer_email: "customer@example.com",
        total_amount: "27.97",
        status: "PENDING",
        created_at: new Date(body.createdAt),
        version: 1,
      },
    ]);
    expect(
      await app.sql(
        `SELECT id, product_id, quantity, unit_price FROM order_items WHERE order_id = $1 ORDER BY id`,
        [body.id],
      ),
    ).toEqual([
      { id: body.items[0].id, product_id: second.id, quantity: 3, unit_price: "0.99" },
      { id: body.items[1].id, product_id: first.id, quantity: 2, unit_price: "12.50" },
    ]);
  },
);

clauseEach<[amounts: [price: string, quantity: number][], total: string]>(
  "3.2",
  "totalAmount is the exact sum of unitPrice x quantity",
  {
    "no binary rounding": [[["0.10", 3]], "0.30"],
    "many cents": [
      [
        ["0.07", 99999],
        ["1.01", 7],
      ],
      "7007.00",
    ],
    "nothing to pay": [[["0.00", 5]], "0.00"],
    "the greatest total": [
      [
        ["0.01", 2_147_483_647],
        ["78525163.52", 1],
      ],
      "99999999.99",
    ],
    "the greatest price": [[["99999999.99", 1]], "99999999.99"],
  },
  async ([amounts, total]) => {
    const items = [];
    for (const [price, quantity] of amounts) {
      items.push({ productId: (await app.make.product({ price })).id, quantity });
    }
    const { body } = await place(items);
    expect(body.totalAmount).toBe(total);
    expect(await app.sql("SELECT total_amount FROM orders WHERE id = $1", [body.id])).toEqual([
      { total_amount: total },
    ]);
  },
);

clause("3.3", "of a refused order nothing is stored, neither order nor items", async () => {
  const good = await app.make.product({ price: "1.00" });
  const inactive = await app.make.product({ is_active: false });
  const dear = await app.make.product({ price: "99999999.99" });
  const before = await everythingStored(app);
  for (const bad of [
    { productId: inactive.id, quantity: 1 },
    { productId: 2_000_000_000, quantity: 1 },
    { productId: dear.id, quantity: 1 },
    { productId: good.id, quantity: 1 },
    { productId: dear.id, quantity: 0 },
  ]) {
    expect((await place([{ productId: good.id, quantity: 1 }, bad])).status).toBe(400);
  }
  expect(await everythingStored(app)).toEqual(before);
});

clauseEach<OrderTerms>(
  "3.3",
  "an order whose items can't be written is not stored either",
  ways,
  async (terms) => {
    const { id: productId } = await app.make.product({ price: "1.00" });
    await expireKey();
    const before = await everythingStored(app);
    // A fault that only shows once the order itself has been written.
    await app.sql("ALTER TABLE order_items ADD CONSTRAINT planted CHECK (quantity <> 13)");
    const answer = await place([{ productId, quantity: 13 }]).set(terms);
    await app.sql("ALTER TABLE order_items DROP CONSTRAINT planted");
    expectRefused(answer, 500);
    expect(await everythingStored(app)).toEqual(before);
  },
);

clauseEach<[trigger: string, told: string]>(
  "3.3",
  "an order that is overtaken time and again is refused as if busy, and the log says by what",
  {
    "by the deletion of its product": [
      `BEFORE INSERT ON order_items FOR EACH ROW EXECUTE FUNCTION overtake()`,
      "A product was deleted while it was ordered",
    ],
    "by another order under its key": [
      `BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION overtake()`,
      "Another order was placed under the same key",
    ],
  },
  async ([trigger, told]) => {
    const { id: productId } = await app.make.product();
    await expireKey();
    const before = await everythingStored(app);
    await app.sql(`
      CREATE FUNCTION overtake() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_TABLE_NAME = 'idempotency_keys' THEN RETURN NULL; END IF;
        RAISE foreign_key_violation USING CONSTRAINT = 'order_items_product_id_fkey';
      END $$;
      CREATE TRIGGER overtake ${trigger}`);
    const answer = await place([{ productId, quantity: 1 }]).set(ways["in steps"]!);
    await app.sql("DROP FUNCTION overtake CASCADE");
    expectRefused(answer, 503);
    expect(parsedLog(app.log).map(({ err }) => err?.message)).toContain(told);
    expect(await everythingStored(app)).toEqual(before);
  },
);

clause("3.4", "an order keeps its prices and total when the product's price changes", async () => {
  const { id: productId } = await app.make.product({ price: "5.00" });
  const { body } = await place([{ productId, quantity: 2 }]);
  await app.sql("UPDATE products SET price = 9 WHERE id = $1", [productId]);
  const later = await place([{ productId, quantity: 2 }]);
  expect(later.body).toMatchObject({ totalAmount: "18.00", items: [{ unitPrice: "9.00" }] });
  expect(
    await app.sql(
      `SELECT total_amount, unit_price FROM orders JOIN order_items ON order_id = orders.id
       WHERE orders.id = $1`,
      [body.id],
    ),
  ).toEqual([{ total_amount: "10.00", unit_price: "5.00" }]);
});

clauseEach<[property: string, value: unknown]>(
  "3.5",
  "an order can't be given a status, a total or prices",
  {
    status: ["status", "PAID"],
    totalAmount: ["totalAmount", "0.01"],
    createdAt: ["createdAt", "2024-01-01T00:00:00.000Z"],
    id: ["id", 1],
  },
  async ([property, value]) => {
    const { id: productId } = await app.make.product();
    const before = await everythingStored(app);
    const { status, body } = await app.http.post("/orders").send({
      customerEmail: "a@example.com",
      items: [{ productId, quantity: 1, unitPrice: "0.01" }],
      [property]: value,
    });
    expect([status, body.message]).toEqual([
      400,
      [`property ${property} should not exist`, "items.0.property unitPrice should not exist"],
    ]);
    expect(await everythingStored(app)).toEqual(before);
  },
);
