import { dataOf } from "../graphql/client";
import { startApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { besideLock, waitingForLocks } from "../support/locks";

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
  for (let count = 0; count < 3; count += 1) await app.make.category();
  await app.sql(`INSERT INTO products (name, slug, price, category_id, is_active)
    SELECT 'Sencha ' || n, 'sencha-' || n, n, 1 + n % 2, n % 3 = 0 FROM generate_series(1, 30) n`);
});
afterEach(() => app.close());

interface Totals {
  readonly categories: { id: number; products: { data: object[]; meta: { total: number } } }[];
}

/** The totals of the categories by id, each with the number of products on its page. */
async function totals(asked = "pageSize: 4"): Promise<string> {
  const query = `{ categories { id products(${asked}) { data { id } meta { total } } } }`;
  const { categories } = await dataOf<Totals>(app, query);
  return categories
    .sort((one, other) => one.id - other.id)
    .map(({ products }) => `${products.meta.total}/${products.data.length}`)
    .join(" ");
}

const SORTED = "sort: { field: NAME, direction: ASC }";

test("each category has its total, whoever changed its products", async () => {
  expect(await totals()).toBe("15/4 15/4 0/0");
  await app.sql("UPDATE products SET category_id = 3 WHERE id <= 5");
  await app.sql("DELETE FROM products WHERE id = 6");
  expect(await totals()).toBe("12/4 12/4 5/4");
  expect(await totals(SORTED)).toBe("12/10 12/10 5/5");
  expect(await totals("page: 2, pageSize: 10")).toBe("12/2 12/2 5/0");
});

test("so has each activity, and each filter whose total is not cached", async () => {
  expect(await totals("filter: { isActive: true }")).toBe("5/5 5/5 0/0");
  expect(await totals("filter: { isActive: false }")).toBe("10/10 10/10 0/0");
  expect(await totals('filter: { maxPrice: "4.00" }')).toBe("2/2 2/2 0/0");
  expect(await totals('filter: { search: "sencha 1", isActive: true }')).toBe("2/2 2/2 0/0");
});

test("each list is counted once for each version of the catalogue, however a category is named", async () => {
  const listed = (pageSize: number) =>
    dataOf(
      app,
      `{ byId: products(filter: { categoryId: 1 }, pageSize: ${pageSize}) { meta { total } }
         bySlug: products(filter: { categorySlug: "category-1" }, pageSize: ${pageSize}) { meta { total } } }`,
    );
  const of = (total: number) => ({ byId: { meta: { total } }, bySlug: { meta: { total } } });
  await app.sql("UPDATE categories SET slug = 'category-1' WHERE id = 1");
  expect([await listed(1), await totals()]).toEqual([of(15), "15/4 15/4 0/0"]);
  // Past the trigger that changes the version, a deletion is not noticed.
  await app.sql("ALTER TABLE products DISABLE TRIGGER record_catalogue_change");
  await app.sql("DELETE FROM products WHERE id = 2");
  await app.sql("ALTER TABLE products ENABLE ALWAYS TRIGGER record_catalogue_change");
  expect(await listed(2)).toEqual(of(15));
  await app.sql("UPDATE categories SET name = 'Another' WHERE id = 3");
  expect([await listed(3), await totals()]).toEqual([of(14), "14/4 15/4 0/0"]);
});

test("rows and total of a list that is counted agree if a change is committed while it is read", async () => {
  const query = `{ products(page: 3, filter: { search: "sencha" }) { data { id } meta { total } } }`;
  const { data, meta } = await besideLock(app, "LOCK TABLE products", async (holder) => {
    const page = dataOf<{ products: Totals["categories"][0]["products"] }>(app, query);
    await eventually(async () => (await waitingForLocks(app)) > 0);
    await holder.query("DELETE FROM products WHERE name IN ('Sencha 1', 'Sencha 2'); COMMIT");
    return (await page).products;
  });
  expect([data.length, meta.total]).toEqual([8, 28]);
});
