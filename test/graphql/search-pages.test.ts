/** @check */

import { useApp } from "../support/app";
import { inParts } from "../support/repetitions";
import { dataOf } from "./client";
import { planOf } from "./plans";

jest.setTimeout(60_000);

const PRODUCTS = 10_000;

const app = useApp();
beforeAll(async () => {
  await app.make.category();
  // Names, prices and times each give another order. "odd" and "even" are frequent and never meet; "late"
  // is frequent, but only in the last quarter by name; "seldom" is rare, and "fiftieth" less so; "a" and "b" are
  // no whole trigram; "9" is in some names and in other descriptions.
  await app.sql(`
    INSERT INTO products (name, slug, description, price, category_id, is_active, created_at)
    SELECT 'Tea ' || lpad(n::text, 6, '0'), 'tea-' || n,
           concat_ws(' ', CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END,
             CASE WHEN n > 7500 THEN 'late' END, CASE WHEN n % 2000 = 17 THEN 'seldom' END,
             CASE WHEN n % 50 = 3 THEN 'fiftieth' END,
             CASE WHEN n % 3 = 0 THEN 'ab' ELSE 'bb' END, CASE WHEN n % 4 = 1 THEN 'lot 9' END),
           (n * 7919) % 10000, (SELECT min(id) FROM categories), n % 5 > 0,
           '2024-01-01'::timestamptz + (n * 104729::bigint) % ${PRODUCTS} * interval '1 minute'
    FROM generate_series(1, ${PRODUCTS}) n`);
  await app.sql("VACUUM ANALYZE products");
});

const searches = ["even", "odd even", "late", "seldom", "late seldom", "ab", "9", "nowhere", null];
const sorts = { CREATED_AT: "created_at", NAME: "lower(name)", PRICE: "price" };
const RELEVANCE = "(strpos(name, $1) > 0)::integer";
// From the sample, after a walk that the sample suggests, among all matches, and after the end.
const nextPages = inParts(
  [1, 20, 120, 300, 2_000_000_000].map((page, index) => ({
    page,
    isActive: index % 2 === 0 ? null : true,
  })),
  3,
);

const query = `query ($filter: ProductFilter, $page: Int!, $sort: ProductSort, $counted: Boolean!) {
  products(page: $page, pageSize: 10, sort: $sort, filter: $filter) {
    data { id } meta @include(if: $counted) { total }
  }
}`;

/** What a statement finds that has no way of its own to search. */
const matches = (search: string | null, order: string, isActive: boolean | null) =>
  app.sql<{ id: number }>(
    `SELECT id FROM products
     WHERE ($1::text IS NULL
            OR (SELECT bool_and(strpos(search_text, word) > 0) FROM unnest(string_to_array($1, ' ')) word))
       AND ($2::boolean IS NULL OR is_active = $2)
     ORDER BY ${order}`,
    [search, isActive],
  );

test.each(searches)("pages of a search for '%s' are those of the sorted list", async (search) => {
  const relevance = search === null ? {} : { RELEVANCE };
  for (const [field, column] of Object.entries({ ...sorts, ...relevance })) {
    for (const direction of ["ASC", "DESC"]) {
      const keys = column === RELEVANCE ? [column, sorts.CREATED_AT] : [column];
      const order = [...keys, "id"].map((key) => `${key} ${direction}`).join();
      for (const { page, isActive } of nextPages()) {
        const rows = await matches(search, order, isActive);
        const [data, meta] = [rows.slice((page - 1) * 10, page * 10), { total: rows.length }];
        const read = async (counted: boolean) => {
          const filter = { search, isActive };
          const variables = { filter, page, sort: { field, direction }, counted };
          return (await dataOf<{ products: object }>(app, query, variables)).products;
        };
        const asked = { search, order, page, isActive };
        expect({ asked, ...(await read(true)) }).toEqual({ asked, data, meta });
        expect({ asked, ...(await read(false)) }).toEqual({ asked, data });
      }
    }
  }
});

test.each([
  { search: "odd even" },
  { search: "seldom" },
  { search: "nowhere" },
  { search: "late" },
  { search: "late", isActive: false },
  { search: "late", maxPrice: "5000" },
])("a search for %j never walks through a whole index of the order", async (filter) => {
  const sort = { field: "NAME", direction: "ASC" };
  const variables = { filter, page: 1, sort, counted: true };
  const nodes = await planOf(app, () => dataOf(app, query, variables));
  const walked = nodes
    .filter((node) => node["Index Name"] === "products_sorted_by_name")
    .map((node) => node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0));
  expect(Math.max(...walked, 0)).toBeLessThanOrEqual(2_500);
});
