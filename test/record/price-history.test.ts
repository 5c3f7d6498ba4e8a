import { dataOf, refusalOf } from "../graphql/client";
import { useApp } from "../support/app";
import { extensionsOf } from "../support/refusals";

const app = useApp({ catalogue: { cache: true } });

interface Price {
  readonly price: string;
  readonly from: string;
  readonly until: string | null;
}

interface History {
  readonly price: string;
  readonly prices: readonly Price[];
  readonly lowestPriceBefore: string | null;
}

const HISTORY = "price prices(first: 50) { price from until } lowestPriceBefore";

const historyOf = async (id: number): Promise<History> =>
  (await dataOf<{ product: History }>(app, `{ product(id: ${id}) { ${HISTORY} } }`)).product;

/** All prices, the present one last. */
const pricesOf = async (id: number): Promise<string[]> =>
  (await historyOf(id)).prices.map(({ price }) => price).toReversed();

const setPrice = (id: number, price: string) =>
  dataOf(app, `mutation { updateProduct(id: ${id}, input: { price: "${price}" }) { id } }`);

const PRESENT = "2026-03-31T12:00:00.000Z";
/** 30 times 24 hours before. */
const BEGINNING = "2026-03-01T12:00:00.000Z";
const OLD = "2020-01-01T00:00:00Z";

/** A price, and when it began. */
type Begun = readonly [began: string, price: string];

/** A product with this history, the oldest price first. */
async function productWith(...history: Begun[]): Promise<number> {
  const { id } = await app.make.product({ price: history.at(-1)![1] });
  await app.sql("DELETE FROM product_prices WHERE product_id = $1", [id]);
  for (const [began, price] of history) {
    const insert = "INSERT INTO product_prices (product_id, began, price) VALUES ($1, $2, $3)";
    await app.sql(insert, [id, began, price]);
  }
  return id;
}

describe("the lowest price before", () => {
  const lowest = async (...history: Begun[]) =>
    (await historyOf(await productWith(...history))).lowestPriceBefore;

  /** 5.00, and then 8.00. */
  const since = (began: string): Begun[] => [
    [OLD, "5.00"],
    [began, "8.00"],
  ];

  test.each<[string, Begun[], string]>([
    ["ended when the 30 days began, so was in force at no moment", since(BEGINNING), "8.00"],
    ["ended a millisecond later", since("2026-03-01T12:00:00.001Z"), "5.00"],
    ["ended a millisecond before", since("2026-03-01T11:59:59.999Z"), "8.00"],
    [
      "was in force for a millisecond",
      [["2026-03-20T00:00:00.000Z", "4.00"], ...since("2026-03-20T00:00:00.001Z").slice(1)],
      "4.00",
    ],
  ])("of a price that %s", async (_when, history, expected) => {
    expect(await lowest(...history, [PRESENT, "1.00"])).toBe(expected);
  });

  test("counts a price that was put back", async () => {
    const id = await productWith(
      ["2026-03-01T00:00:00Z", "9.00"],
      ["2026-03-20T00:00:00Z", "6.00"],
      ["2026-03-21T00:00:00Z", "9.00"],
    );
    expect((await historyOf(id)).lowestPriceBefore).toBe("6.00");
    expect(await lowest([OLD, "6.00"], ["2026-03-20T00:00:00Z", "9.00"], [PRESENT, "6.00"])).toBe(
      "6.00",
    );
  });
});

describe("a history", () => {
  test("begins with the product, and each price ends when the next one begins", async () => {
    const input = { name: "Sencha", price: "9.5", categoryId: (await app.make.category()).id };
    const mutation = `mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }`;
    const made = await dataOf<{ createProduct: { id: number } }>(app, mutation, { input });
    const { id } = made.createProduct;
    const created = await historyOf(id);
    expect(created).toEqual({
      price: "9.50",
      prices: [{ price: "9.50", from: expect.any(String), until: null }],
      lowestPriceBefore: null,
    });
    await setPrice(id, "8.00");
    await setPrice(id, "8.25");
    const { prices, lowestPriceBefore } = await historyOf(id);
    const [third, second, first] = prices;
    expect(prices).toEqual([
      { price: "8.25", from: expect.any(String), until: null },
      { price: "8.00", from: expect.any(String), until: third!.from },
      { price: "9.50", from: created.prices[0]!.from, until: second!.from },
    ]);
    expect(first!.from < second!.from && second!.from < third!.from).toBe(true);
    expect(lowestPriceBefore).toBe("8.00");
  });

  test("that SQL corrects is shown so by the next answer, kept or not", async () => {
    const id = await productWith(["2026-03-01T00:00:00Z", "6.00"], [PRESENT, "9.00"]);
    expect((await historyOf(id)).lowestPriceBefore).toBe("6.00");
    await app.sql("UPDATE product_prices SET price = 7 WHERE product_id = $1 AND price = 6", [id]);
    expect((await historyOf(id)).lowestPriceBefore).toBe("7.00");
    await app.sql("DELETE FROM product_prices WHERE product_id = $1 AND price = 7", [id]);
    expect((await historyOf(id)).lowestPriceBefore).toBeNull();
  });

  test("begins nothing new for the price that is set already, or for any other change", async () => {
    const { id } = await app.make.product({ price: "4.00" });
    const before = await historyOf(id);
    await setPrice(id, "4");
    await app.http
      .patch(`/products/${id}/status`)
      .set("Authorization", app.asAdmin)
      .send({ isActive: false });
    await app.sql("UPDATE products SET price = 4.000, name = name || '!' WHERE id = $1", [id]);
    expect(await historyOf(id)).toEqual(before);
  });

  test("is written for REST and for SQL, one row or many", async () => {
    const { body } = await app.http
      .post("/products")
      .set("Authorization", app.asAdmin)
      .send({ name: "Assam", price: "1.00", categoryId: (await app.make.category()).id });
    const ids = [(body as { id: number }).id];
    for (let n = 0; n < 20; n += 1) ids.push((await app.make.product({ price: "1.00" })).id);
    // Each second one changes.
    await app.sql("UPDATE products SET price = 1 + id % 2 WHERE id = ANY($1)", [ids]);
    await app.sql(
      `INSERT INTO products (id, name, slug, price, category_id)
       SELECT id, name, slug, 7, category_id FROM products WHERE id = ANY($1)
       ON CONFLICT (id) DO UPDATE SET price = excluded.price`,
      [ids],
    );
    for (const id of ids) {
      expect(await pricesOf(id)).toEqual(
        id % 2 === 0 ? ["1.00", "7.00"] : ["1.00", "2.00", "7.00"],
      );
    }
  });

  test("has times that rise by a millisecond at least, even if the clock was set back", async () => {
    const id = await productWith(["2199-01-01T00:00:00.000Z", "5.00"]);
    await app.sql(
      `DO $$ BEGIN FOR n IN 1..9 LOOP UPDATE products SET price = n WHERE id = ${id}; END LOOP; END $$`,
    );
    const { prices } = await historyOf(id);
    expect(prices.map(({ price }) => price)).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 5].map((n) => `${n}.00`),
    );
    expect(prices[0]!.from).toBe("2199-01-01T00:00:00.009Z");
    expect(prices.at(-1)).toMatchObject({ until: "2199-01-01T00:00:00.001Z" });
  });

  test("has every price of writers that change it at the same time", async () => {
    const { id } = await app.make.product({ price: "1.00" });
    const wanted = Array.from({ length: 20 }, (_, n) => `${n + 2}.00`);
    await Promise.all(wanted.map((price) => setPrice(id, price)));
    const { price, prices } = await historyOf(id);
    expect(prices.map((each) => each.price).toSorted()).toEqual(["1.00", ...wanted].toSorted());
    expect(prices[0]).toMatchObject({ price, until: null });
    const times = prices.map(({ from }) => from);
    expect(times).toEqual([...new Set(times)].toSorted().toReversed());
  });

  test("goes with its product", async () => {
    const { id } = await app.make.product();
    await dataOf(app, `mutation { deleteProduct(id: ${id}) { id prices { price } } }`);
    expect(await app.sql("SELECT FROM product_prices WHERE product_id = $1", [id])).toEqual([]);
  });
});

describe("prices", () => {
  test("are the first ones, 10 where nothing is said", async () => {
    const days = Array.from({ length: 12 }, (_, n) => `2026-02-${10 + n}T00:00:00Z`);
    const id = await productWith(...days.map((day, n) => [day, `${n}.00`] as const));
    const { product } = await dataOf<{ product: Record<string, Price[]> }>(
      app,
      `{ product(id: ${id}) { ten: prices { price } one: prices(first: 1) { price until } all: prices(first: 50) { price } } }`,
    );
    expect(product.ten).toHaveLength(10);
    expect(product.one).toEqual([{ price: "11.00", until: null }]);
    expect(product.all).toHaveLength(12);
  });

  test.each([0, 51, -1])("first: %d is refused as a page size is", async (first) => {
    const { id } = await app.make.product();
    const query = `{ product(id: ${id}) { prices(first: ${first}) { price } } }`;
    expect(await refusalOf(app, query)).toEqual(
      extensionsOf(400, "Page size must be between 1 and 50"),
    );
  });
});
