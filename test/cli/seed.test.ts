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
  const content = () =>
    Promise.all([
      sql("SELECT name, slug, is_active FROM categories ORDER BY id"),
      sql(
        "SELECT name, slug, description, price, is_active, category_id FROM products ORDER BY id",
      ),
      sql("SELECT customer_email, total_amount, status FROM orders ORDER BY id"),
      sql("SELECT order_id, product_id, quantity FROM order_items ORDER BY id"),
      sql("SELECT email, is_active FROM newsletter_subscribers ORDER BY id"),
    ]);

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

  test("is the same each time, but for the times", async () => {
    await seedDemo(database.url);
    const first = await content();
    await sql(
      "TRUNCATE categories, products, orders, order_items, newsletter_subscribers RESTART IDENTITY CASCADE",
    );
    await seedDemo(database.url);
    expect(await content()).toEqual(first);
  });

  test("is refused where there is a catalogue, and where another one comes first", async () => {
    const outcomes = await Promise.allSettled([seedDemo(database.url), seedDemo(database.url)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(seedDemo(database.url)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await count("products")).toBe(60);
  });

  test("keeps subscribers that are there and leaves the sequences right", async () => {
    await sql(
      "INSERT INTO newsletter_subscribers (email) VALUES ('Ada.Lindqvist@example.com'), ('yara.santos@example.org')",
    );
    await seedDemo(database.url);
    for (const table of [
      "categories",
      "products",
      "orders",
      "order_items",
      "newsletter_subscribers",
    ]) {
      const [row] = await sql<{ fits: boolean }>(
        `SELECT nextval(pg_get_serial_sequence('${table}', 'id')) > max(id) AS fits FROM ${table}`,
      );
      expect(row).toEqual({ fits: true });
    }
  });
});

describe("generated data", () => {
  test("has as much as was asked for, of varied products and orders", async () => {
    const progress: [number, number][] = [];
    await seedDemo(database.url, {
      products: 21_000,
      orders: 500,
      onProgress: (done, total) => progress.push([done, total]),
    });
    expect(progress).toEqual([20_000, 21_000, 21_500].map((done) => [done, 21_500]));
    expect(await count("products")).toBe(21_000);
    expect(await count("(SELECT DISTINCT created_at FROM products) AS moments")).toBe(21_000);
    expect(await count("(SELECT DISTINCT name FROM products) AS names")).toBeGreaterThan(10_000);
    expect(await count("(SELECT DISTINCT price FROM products) AS prices")).toBeGreaterThan(5_000);
    expect(await count("(SELECT DISTINCT category_id FROM products) AS used")).toBe(8);
    expect(await count("products WHERE is_active")).toBeLessThan(20_500);
    expect(await count("orders")).toBe(500);
    expect(await count("(SELECT DISTINCT created_at FROM orders) AS moments")).toBe(500);
    expect(await count("(SELECT DISTINCT customer_email FROM orders) AS customers")).toBeLessThan(
      101,
    );
    expect(await count("(SELECT DISTINCT status FROM orders) AS statuses")).toBe(3);
    expect(await wrongTotals()).toEqual([]);
    expect(await wrongPrices()).toEqual([]);
    const [span] = await sql<{ days: number; future: boolean }>(
      `SELECT (extract(epoch FROM max(created_at) - min(created_at)) / 86400)::integer AS days,
              max(created_at) > now() AS future FROM products`,
    );
    expect(span).toEqual({ days: 730, future: false });
  });

  test("adds to what is there", async () => {
    await seedDemo(database.url);
    await seedDemo(database.url, { products: 100 });
    await seedDemo(database.url, { products: 100, orders: 100 });
    await sql(
      "UPDATE products SET slug = 'amber-chai-5000' WHERE id = (SELECT max(id) FROM products)",
    );
    await seedDemo(database.url, { products: 100 });
    expect(await count("products WHERE slug LIKE '%-5001'")).toBe(1);
    expect([await count("products"), await count("orders")]).toEqual([360, 300]);
    expect(await count("categories")).toBe(8);
    expect(await wrongTotals()).toEqual([]);
  });

  test.each([1, 2, 3, 4])("orders each product once where there are but %i", async (size) => {
    await seedDemo(database.url, { products: 20 });
    await sql(
      `UPDATE products SET is_active = id IN (SELECT id FROM products ORDER BY id LIMIT ${size})`,
    );
    await seedDemo(database.url, { orders: 300 });
    expect(await count("orders")).toBe(300);
    expect(await wrongTotals()).toEqual([]);
    expect(await count("(SELECT DISTINCT product_id FROM order_items) AS used")).toBe(size);
  });

  test("leaves out products that would break the greatest total", async () => {
    await seedDemo(database.url, { products: 20 });
    await sql(
      "UPDATE products SET is_active = true, price = CASE WHEN id > 4 THEN 99999999.99 ELSE 8000000 END",
    );
    await seedDemo(database.url, { orders: 300 });
    expect(await wrongTotals()).toEqual([]);
  });

  test("refuses orders of nothing", async () => {
    await expect(seedDemo(database.url, { orders: 1 })).rejects.toMatchObject({
      code: "CONFLICT",
      message: "There is no active product that could be ordered",
    });
  });
});
