/** @check */

import { useApp } from "../support/app";
import { dataOf } from "./client";

jest.setTimeout(60_000);

const app = useApp();
beforeAll(async () => {
  await app.sql(`INSERT INTO categories (name, slug)
    SELECT 'Category ' || n, 'category-' || n FROM generate_series(1, 3) n`);
  // More than are looked at first: in category 1 each name has "leaf", in 2 every hundredth, in 3 the oldest.
  await app.sql(`INSERT INTO products (name, slug, price, category_id, is_active, created_at)
    SELECT CASE WHEN category = 1 OR category = 2 AND n % 100 = 0 OR category = 3 AND n > 2990
             THEN 'leaf ' ELSE 'powder ' END || n,
           'product-' || category || '-' || n, n % 70, category, n % 3 > 0, now() - n * interval '1 minute'
    FROM generate_series(1, 3) category, generate_series(1, 3000) n`);
  await app.sql("ANALYZE products");
});

interface Listed {
  readonly data: { id: number }[];
  readonly meta?: { total: number };
}

const SHOWN = "{ data { id } meta { total } }";

describe.each(["leaf", "powder", "leaf 2", "leaf powder", "oolong"])("a search for %s", (words) => {
  test.each([
    "page: 1",
    "page: 2, pageSize: 7",
    "page: 4, pageSize: 50",
    "sort: { field: NAME, direction: ASC }",
    "page: 3, sort: { field: PRICE, direction: DESC }",
  ])("finds the same in each category as a search of that category alone: %s", async (asked) => {
    const filters = [`search: "${words}"`, `search: "${words}", isActive: true`];
    for (const filter of filters) {
      const { categories } = await dataOf<{ categories: { id: number; products: Listed }[] }>(
        app,
        `{ categories { id products(${asked}, filter: { ${filter} }) ${SHOWN} } }`,
      );
      expect(categories).toHaveLength(3);
      const alone = categories.map(async ({ id }) => {
        const query = `{ products(${asked}, filter: { ${filter}, categoryId: ${id} }) ${SHOWN} }`;
        return [id, (await dataOf<{ products: Listed }>(app, query)).products];
      });
      expect(categories.map(({ id, products }) => [id, products])).toEqual(
        await Promise.all(alone),
      );
    }
  });
});
