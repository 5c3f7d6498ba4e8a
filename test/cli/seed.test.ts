import { seedDemo } from "../../src/demo";
import { createDatabase, query, type TestDatabase } from "../support/database";

jest.setTimeout(60_000);

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(async () => {
  await database.drop();
});

const sql = <Row extends object>(statement: string): Promise<Row[]> =>
  query<Row>(database.url, statement);

const count = async (from: string): Promise<number> => {
  const [row] = await sql<{ count: number }>(`SELECT count(*)::integer FROM ${from}`);
  return row!.count;
};

/** Orders whose total is not the sum of their items, or that have none. */
const wrongTotals = (): Promise<object[]> =>
  sql(
    `SELECT orders.id FROM orders LEFT JOIN order_items ON order_id = orders.id GROUP BY orders.id
     HAVING total_amount IS DISTINCT FROM sum(quantity * unit_price)`,
  );

const wrongPrices = (): Promise<object[]> =>
  sql(
    "SELECT 1 FROM order_items JOIN products ON products.id = product_id WHERE unit_price <> price",
  );

describe("the demonstration", () => {
  test("fills an empty catalogue with a shop that holds together", async () => {
    await seedDemo(database.url);
    expect(await count("categories")).toBe(8);
    expect(await count("categories WHERE NOT is_active")).toBe(1);
    expect(await count("products")).toBe(60);
    expect(await count("products WHERE NOT is_active")).toBe(6);
    expect(await count("products WHERE price BETWEEN 4.50 AND 89")).toBe(60);
    expect(await count("orders")).toBe(200);
    expect(await count("newsletter_subscribers")).toBe(25);
    expect(await count("newsletter_subscribers WHERE NOT is_active")).toBe(3);
    expect(await wrongTotals()).toEqual([]);
    expect(await wrongPrices()).toEqual([]);
    const statuses = await sql<{ count: number }>(
      "SELECT count(*)::integer FROM orders GROUP BY status",
    );
    expect(statuses).toHaveLength(3);
    expect(Math.min(...statuses.map((row) => row.count))).toBeGreaterThan(10);
    const sizes = await sql<{ size: number }>(
      `SELECT DISTINCT size FROM
         (SELECT count(*)::integer AS size FROM order_items GROUP BY order_id) AS sizes ORDER BY 1`,
    );
    expect(sizes.map((row) => row.size)).toEqual([1, 2, 3, 4, 5]);
  });

  test("orders nothing that was not on sale, and nothing in the future", async () => {
    await seedDemo(database.url);
    const strange = await sql(
      `SELECT 1 FROM order_items
       JOIN orders ON orders.id = order_id JOIN products ON products.id = product_id
       WHERE products.created_at >= orders.created_at OR NOT is_active OR orders.created_at > now()`,
    );
    expect(strange).toEqual([]);
    expect(
      await count(
        "products JOIN categories ON categories.id = category_id WHERE products.created_at <= categories.created_at",
      ),
    ).toBe(0);
    expect(await count("(SELECT DISTINCT created_at FROM orders) AS moments")).toBe(200);
  });

  test("is refused where there is a catalogue, and where another one comes first", async () => {
    const outcomes = await Promise.allSettled([seedDemo(database.url), seedDemo(database.url)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(seedDemo(database.url)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await count("products")).toBe(60);
  });
});
