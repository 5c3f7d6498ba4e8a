import { Client } from "pg";
import { startApp, type TestApp } from "../support/app";
import { dataOf } from "./client";

const PRODUCTS = 10_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.make.category();
  // Names, prices and times each give another order. "odd" and "even" are frequent and never meet; "late"
  // is frequent, but only in the last quarter by name; "seldom" is rare; "a" and "b" are no whole trigram.
  await app.sql(`
    INSERT INTO products (name, slug, description, price, category_id, is_active, created_at)
    SELECT 'Tea ' || lpad(n::text, 6, '0'), 'tea-' || n,
           concat_ws(' ', CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END,
             CASE WHEN n > 7500 THEN 'late' END, CASE WHEN n % 2000 = 17 THEN 'seldom' END,
             CASE WHEN n % 3 = 0 THEN 'ab' ELSE 'bb' END),
           (n * 7919) % 10000, (SELECT min(id) FROM categories), n % 5 > 0,
           '2024-01-01'::timestamptz + (n * 104729::bigint) % ${PRODUCTS} * interval '1 minute'
    FROM generate_series(1, ${PRODUCTS}) n`);
  await app.sql("VACUUM ANALYZE products");
});
afterAll(() => app.close());

const searches = ["even", "odd even", "late", "seldom", "late seldom", "ab", "nowhere", null];
const sorts = { CREATED_AT: "created_at", NAME: "lower(name)", PRICE: "price" };
// From the sample, after a walk that the sample suggests, among all matches, and after the end.
const pages = [1, 20, 120, 300, 2_000_000_000];

const query = `query ($filter: ProductFilter, $page: Int!, $sort: ProductSort, $counted: Boolean!) {
  products(page: $page, pageSize: 10, sort: $sort, filter: $filter) {
    data { id } meta @include(if: $counted) { total }
  }
}`;

/** What a statement finds that has no way of its own to search. */
async function expected(
  search: string | null,
  order: string,
  page: number,
  isActive: boolean | null,
) {
  const rows = await app.sql<{ id: number }>(
    `SELECT id FROM products
     WHERE ($1::text IS NULL
            OR (SELECT bool_and(strpos(search_text, word) > 0) FROM unnest(string_to_array($1, ' ')) word))
       AND ($2::boolean IS NULL OR is_active = $2)
     ORDER BY ${order}`,
    [search, isActive],
  );
  return { data: rows.slice((page - 1) * 10, page * 10), meta: { total: rows.length } };
}

test.each(searches)("pages of a search for '%s' are those of the sorted list", async (search) => {
  for (const [field, column] of Object.entries(sorts)) {
    for (const direction of ["ASC", "DESC"]) {
      for (const [index, page] of pages.entries()) {
        const isActive = index % 2 === 0 ? null : true;
        const order = `${column} ${direction}, id ${direction}`;
        const { data, meta } = await expected(search, order, page, isActive);
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

interface Plan {
  "Index Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

test.each([
  { search: "odd even" },
  { search: "seldom" },
  { search: "nowhere" },
  { search: "late" },
  { search: "late", isActive: false },
  { search: "late", maxPrice: "5000" },
])("a search for %j never walks through a whole index of the order", async (filter) => {
  const spy = jest.spyOn(Client.prototype, "query");
  const sort = { field: "NAME", direction: "ASC" };
  const variables = { filter, page: 1, sort, counted: true };
  await dataOf(app, query, variables);
  const calls = spy.mock.calls as unknown as [{ text?: string; values: unknown[] }][];
  const [{ text, values }] = calls.find(([statement]) => statement.text?.includes("LIMIT"))!;
  spy.mockRestore();
  const [row] = await app.sql<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];
  const walked = flat(row!["QUERY PLAN"][0].Plan)
    .filter((node) => node["Index Name"] === "products_sorted_by_name")
    .map((node) => node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0));
  expect(Math.max(...walked, 0)).toBeLessThanOrEqual(2_500);
});
