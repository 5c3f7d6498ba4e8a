import { startApp, type TestApp } from "../support/app";
import { clause } from "../support/clause";
import { expectRefused } from "../support/refusals";

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
  // They would give the right order by chance.
  await app.sql(
    "DROP INDEX products_newest, products_newest_of_category, products_newest_of_activity",
  );
});
afterEach(() => app.close());

const ids = (products: { id: number }[]): number[] => products.map(({ id }) => id);

const NOON = "2024-06-01T12:00:00.000Z";
const LATER = "2024-06-01T12:00:00.001Z";
const EARLIER = "2024-06-01T11:59:59.999Z";

/** Products of a category; ties in createdAt, and ids in another order than times. */
async function makeProducts(category_id: number) {
  const made: Record<string, number> = {};
  for (const [name, created_at, is_active] of [
    ["noon 1", NOON, true],
    ["later", LATER, false],
    ["earlier", EARLIER, true],
    ["noon 2", NOON, false],
    ["noon 3", NOON, true],
  ] as const) {
    made[name] = (await app.make.product({ name, created_at, is_active, category_id })).id;
  }
  return ["later", "noon 3", "noon 2", "noon 1", "earlier"].map((name) => made[name]!);
}

clause(
  "4.products.list",
  "GET /products lists all products, newest first, ties in createdAt by id descending",
  async () => {
    const expected = await makeProducts((await app.make.category()).id);
    const { status, body } = await app.http.get("/products");
    expect(status).toBe(200);
    expect(body).toEqual({
      data: expect.any(Array),
      meta: { total: 5, page: 1, pageSize: 10, totalPages: 1 },
    });
    expect(ids(body.data)).toEqual(expected);
  },
);

clause("4.products.list", "page and pageSize are 1 and 10 by default", async () => {
  const category_id = (await app.make.category()).id;
  for (let count = 0; count < 12; count += 1) await app.make.product({ category_id });
  const { body } = await app.http.get("/products");
  expect([body.data.length, body.meta]).toEqual([
    10,
    { total: 12, page: 1, pageSize: 10, totalPages: 2 },
  ]);
  expect((await app.http.get("/products?page=1&pageSize=10")).body).toEqual(body);
});

clause("4.products.list", "unknown query parameters are ignored", async () => {
  await makeProducts((await app.make.category()).id);
  const plain = await app.http.get("/products");
  const { status, body } = await app.http.get("/products?isActive=true&sort=price&foo[]=1&foo=2");
  expect([status, body]).toEqual([200, plain.body]);
});

clause(
  "4.products.of-category",
  "GET /products/category/:categoryId lists that category's products, newest first",
  async () => {
    const { id } = await app.make.category();
    const expected = await makeProducts(id);
    await makeProducts((await app.make.category()).id);
    const { status, body } = await app.http.get(`/products/category/${id}`);
    expect([status, ids(body)]).toEqual([200, expected]);
    expect(new Set(body.map((each: { categoryId: number }) => each.categoryId))).toEqual(
      new Set([id]),
    );
  },
);

clause("4.products.of-category", "it is not paginated", async () => {
  const category_id = (await app.make.category()).id;
  await app.sql(
    `INSERT INTO products (name, slug, price, category_id)
     SELECT 'Tea', 'tea-' || number, 1, $1 FROM generate_series(1, 120) AS number`,
    [category_id],
  );
  const { body } = await app.http.get(`/products/category/${category_id}?page=0&pageSize=5`);
  expect(body).toHaveLength(120);
});

clause("4.products.of-category", "an empty array for a category without products", async () => {
  const { id } = await app.make.category({ is_active: false });
  const { status, body } = await app.http.get(`/products/category/${id}`);
  expect([status, body]).toEqual([200, []]);
});

clause("4.products.of-category", "a category that does not exist is 404", async () => {
  expectRefused(await app.http.get("/products/category/1"), 404, "Category not found");
});
