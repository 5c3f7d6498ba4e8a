/** @check */

import { useApp } from "../support/app";
import { dataOf } from "./client";
import { planOf as planOfStatement } from "./plans";

jest.setTimeout(60_000);

const app = useApp();
beforeAll(async () => {
  await app.sql(`INSERT INTO categories (name, slug)
    SELECT 'Category ' || n, 'category-' || n FROM generate_series(1, 20) n`);
  await app.sql(`INSERT INTO products (name, slug, description, price, is_active, category_id, created_at)
    SELECT md5('name' || n), 'tea-' || n, md5('text' || n), n % 5000,
           n % 100 = 0, 1 + n % 20, '2024-01-01'::timestamptz + n * interval '1 minute'
    FROM generate_series(1, 20000) n`);
  await app.sql(`INSERT INTO orders (customer_email, total_amount, status, created_at)
    SELECT 'c' || n % 10000 || '@example.com', 1,
           (ARRAY['PENDING', 'PAID', 'CANCELLED'])[1 + n % 3]::order_status,
           '2024-01-01'::timestamptz + n * interval '1 minute'
    FROM generate_series(1, 20000) n`);
  await app.sql("VACUUM ANALYZE");
  await dataOf(app, "{ orders { data { id } } }");
});

const planOf = (query: string, words?: string) =>
  planOfStatement(app, () => dataOf(app, query), words);

const after = Buffer.from(`${Date.UTC(2024, 0, 5)}:5000`).toString("base64url");
const id = "{ data { id } }";
const counted = "{ data { id } meta { total } }";
const edges = "{ edges { cursor } }";
const hundred = Array.from({ length: 100 }, (_, n) => n * 199).join();

/** Lists by the index that serves them. */
const served: Record<string, string[]> = {
  products_newest: [
    `products ${id}`,
    `products(page: 20) ${id}`,
    `productsConnection ${edges}`,
    `productsConnection(last: 10) ${edges}`,
    `productsConnection(after: "${after}") ${edges}`,
    `productsConnection(before: "${after}") { edges { cursor } totalCount }`,
  ],
  products_newest_of_category: [
    `products(filter: { categoryId: 3 }) ${id}`,
    `categories { products ${id} }`,
  ],
  products_newest_of_activity: [`products(filter: { isActive: true }) ${id}`],
  products_by_price: [
    `products(sort: { field: PRICE }) ${id}`,
    `products(sort: { field: PRICE, direction: ASC }) ${id}`,
  ],
  products_sorted_by_name: [
    `products(sort: { field: NAME, direction: ASC }) ${id}`,
    `products(page: 500, sort: { field: NAME }) ${id}`,
  ],
  products_of_category_by_price: [
    `products(filter: { categoryId: 3 }, sort: { field: PRICE, direction: ASC }) ${id}`,
  ],
  products_of_category_by_name: [
    `products(filter: { categoryId: 3 }, sort: { field: NAME, direction: ASC }) ${id}`,
  ],
  products_search: [
    `products(filter: { search: "b3f2c1" }) ${id}`,
    `products(filter: { search: "3fa1 9c2b" }) ${counted}`,
    `products(filter: { search: "b3f2c1" }, sort: { field: RELEVANCE }) ${counted}`,
  ],
  products_pkey: ["CREATED_AT", "NAME", "PRICE"].map(
    (field) => `products(filter: { ids: [${hundred}] }, sort: { field: ${field} }) ${counted}`,
  ),
  orders_newest: [
    `orders ${id}`,
    `orders(filter: { placedFrom: "2024-01-05T00:00:00Z", placedBefore: "2024-01-06T00:00:00Z" }) ${counted}`,
  ],
  orders_newest_of_status: [`orders(filter: { status: PAID }) ${id}`],
  orders_newest_of_customer: [`orders(filter: { customerEmail: "C7@example.com" }) ${counted}`],
  customer_addresses_search: [`orders(filter: { customerSearch: "C1777@" }) ${counted}`],
  audit_entries_of_id: [`auditLog(filter: { subjectId: 7 }) ${edges}`],
};

/** A connection by each sort on each side of a cursor. */
const cursors = Object.entries({
  CREATED_AT: [`${Date.UTC(2024, 0, 5)}`, "products_newest"],
  NAME: ["7fffffff", "products_sorted_by_name"],
  PRICE: ["2500.00", "products_by_price"],
}).flatMap(([field, [value, index]]) =>
  ["ASC", "DESC"].flatMap((direction) =>
    ["after", "before"].map((side): [string, string] => {
      const isNewest = field === "CREATED_AT" && direction === "DESC";
      const text = `${isNewest ? "" : `${field} ${direction} `}${value}:5000`;
      const cursor = `${side}: "${Buffer.from(text).toString("base64url")}"`;
      return [
        index!,
        `productsConnection(${cursor}, sort: { field: ${field}, direction: ${direction} }) ${edges}`,
      ];
    }),
  ),
);

/** What the version of the catalogue is read from. */
const OF_FEW_ROWS = ["catalogue_changes", "catalogue_state", "pg_database"];

const all = Object.entries(served).flatMap(([index, lists]) =>
  lists.map((list): [string, string] => [index, list]),
);

test.each([...all, ...cursors])("%s serves %.100s", async (index, list) => {
  const plan = await planOf(`{ ${list} }`);
  expect(plan.map((node) => node["Index Name"])).toContain(index);
  const scanned = plan.filter((node) => node["Node Type"] === "Seq Scan");
  const large = scanned.filter((node) => !OF_FEW_ROWS.includes(node["Relation Name"]!));
  expect(large.map((node) => node["Relation Name"])).toEqual([]);
});

test("indexes serve what is stored of a customer", async () => {
  const plan = await planOf(
    `{ customerData(email: "C7@example.com") { orders auditEntries } }`,
    "audit_entries",
  );
  const indexes = plan.flatMap((node) => node["Index Name"] ?? []);
  expect(indexes.sort()).toEqual([
    "audit_entries_of_customer",
    "events_of_customer",
    "events_of_subject",
    "orders_newest_of_customer",
    "orders_newest_of_customer",
  ]);
  expect(plan.map((node) => node["Node Type"])).not.toContain("Seq Scan");
});
