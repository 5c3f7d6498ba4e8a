import { Client } from "pg";
import { useApp } from "../support/app";
import { graphqlClauseEach } from "../support/clause";
import { tokenOf } from "../security/own-account";
import { call, protectedOperations } from "../support/protected-operations";
import { dataOf, execute } from "./client";

const app = useApp({ database: { poolSize: 1 }, catalogue: { cache: false } });
let spy: jest.SpyInstance;
beforeAll(async () => {
  await app.sql(`INSERT INTO categories (name, slug)
    SELECT 'Category ' || n, 'category-' || n FROM generate_series(1, 8) n`);
  await app.sql(`INSERT INTO products (name, slug, price, category_id, created_at)
    SELECT 'Product ' || n, 'product-' || n, n, 1 + n % 8, now() - n * interval '1 minute'
    FROM generate_series(1, 80) n`);
  await app.sql(`INSERT INTO orders (customer_email, total_amount)
    SELECT 'a@example.com', n FROM generate_series(1, 50) n`);
  await app.sql(`INSERT INTO order_items (order_id, product_id, quantity, unit_price)
    SELECT o, 1 + (o + i) % 80, 1, 1 FROM generate_series(1, 50) o, generate_series(1, 4) i`);
  await execute(app, { query: "{ categories { id } }" }); // opens the connection
  spy = jest.spyOn(Client.prototype, "query");
});
afterAll(() => spy.mockRestore());

/** What of an operation reaches the database, as an administrator. */
async function statementsOf(query: string, variables?: object): Promise<string[]> {
  spy.mockClear();
  const { body } = await execute(app, { query, variables }, app.asAdmin);
  expect(body.errors).toBeUndefined();
  return spy.mock.calls.map(([statement]: unknown[]) =>
    typeof statement === "string" ? statement : (statement as { text: string }).text,
  );
}

test.each<[string, string, number]>([
  ["categories", "{ categories { id } }", 1],
  ["a product", "{ product(id: 1) { id } }", 1],
  ["a page with its total", "{ products(pageSize: 50) { data { id } meta { total } } }", 1],
  ["a page with categories", "{ products(pageSize: 50) { data { category { name } } } }", 1],
  [
    "a page with categories under another name, in fragments",
    `{ products { ...P } } fragment P on ProductPage { data { ...D } }
     fragment D on Product { ... { of: category { name } } }`,
    1,
  ],
  ["a product with its category", "{ product(id: 1) { category { name } } }", 2],
  ["a page with prices", "{ products(pageSize: 50) { data { prices { price until } } } }", 2],
  ["a page with lowest prices", "{ products(pageSize: 50) { data { lowestPriceBefore } } }", 2],
  [
    "8 categories, each with a page of products and all their prices",
    `{ categories { products(pageSize: 5) {
      data { price lowestPriceBefore prices { price } newest: prices { from } one: prices(first: 1) { price } }
    } } }`,
    5,
  ],
  [
    "8 categories, each with a page and its total",
    "{ categories { products(pageSize: 50) { data { id } meta { total } } } }",
    2,
  ],
  [
    "8 categories, each with a page of products and their categories",
    "{ categories { products(pageSize: 3) { data { category { name } } } } }",
    2,
  ],
  ["a connection", "{ productsConnection(first: 50) { edges { node { id } } } }", 1],
  ["a connection with its total", "{ productsConnection { edges { cursor } totalCount } }", 1],
  [
    "a connection with categories",
    "{ productsConnection(first: 50) { edges { node { category { name } } } pageInfo { endCursor } } }",
    1,
  ],
])("%s", async (_label, query, count) => {
  expect(await statementsOf(query)).toHaveLength(count);
});

test.each([
  ["products", "products { data { D } }"],
  ["a connection", "productsConnection { edges { node { D } } }"],
  ["found products", 'products(filter: { search: "product" }) { data { D } }'],
])("descriptions are read only if they are selected: %s", async (_label, list) => {
  const withD = await statementsOf(
    `{ ${list.replace("D", "...D")} } fragment D on Product { description }`,
  );
  const without = await statementsOf(`{ ${list.replace("D", "id")} }`);
  expect(withD.at(-1)).toContain('"description"');
  expect(without.at(-1)).not.toContain('"description"');
});

test("a category is the same with a list as by itself", async () => {
  const category = "category { id name slug isActive createdAt }";
  const query = `{
    product(id: 3) { ${category} }
    products(pageSize: 1, filter: { categoryId: 4 }) { data { ${category} } }
    productsConnection(first: 1, filter: { categoryId: 4 }) { edges { node { ${category} } } }
  }`;
  const data = await dataOf<{ product: object }>(app, query);
  const { product } = data;
  expect(product).toMatchObject({ category: { id: 4, name: "Category 4" } });
  expect(data).toEqual({
    product,
    products: { data: [product] },
    productsConnection: { edges: [{ node: product }] },
  });
});

const orders = (size: number) =>
  `{ orders(pageSize: ${size}) { data { items { product { category { name } } } } } }`;

test("orders down to their categories: 4, and 1 for the account, whatever the rows", async () => {
  expect(await statementsOf(orders(1))).toHaveLength(5);
  const query = `query ($size: Int!) {
    orders(pageSize: $size) { data { items { product { category { name } } } } }
  }`;
  expect(await statementsOf(query, { size: 30 })).toHaveLength(5);
});

test("a session is checked by the statement that reads its account", async () => {
  const token = await tokenOf(app, (await app.make.admin()).email);
  for (const authorization of [app.asAdmin, `Bearer ${token}`]) {
    spy.mockClear();
    const { status } = await call(app, protectedOperations["GET /orders"]!, authorization);
    expect([status, spy.mock.calls.length]).toEqual([200, 2]);
  }
});

test("an order by its lookup takes 1 statement, forged or not, and text of another form none", async () => {
  const [order] = (
    await dataOf<{ orders: { data: { id: number; lookup: string }[] } }>(
      app,
      "{ orders(pageSize: 1) { data { id lookup } } }",
    )
  ).orders.data;
  const signature = order!.lookup.split(".")[1]!;
  const query = "query ($lookup: String!) { orderByLookup(lookup: $lookup) { id } }";
  const forged = `${order!.id}.${signature.split("").reverse().join("")}`;
  for (const lookup of [order!.lookup, forged, `2000000000.${signature}`]) {
    expect([lookup, (await statementsOf(query, { lookup })).length]).toEqual([lookup, 1]);
  }
  expect(await statementsOf(query, { lookup: `0.${signature}` })).toEqual([]);
});

test("the account is looked up once, however many fields are protected", async () => {
  const query = `{
    orders { data { id } } ordersConnection { edges { cursor } }
    newsletterSubscribers { data { id } } order(id: 1) { id }
  }`;
  expect(await statementsOf(query)).toHaveLength(5);
});

test("the items of an order that was just placed are not read again", async () => {
  const query = `mutation ($input: PlaceOrderInput!) {
    placeOrder(input: $input) { id items { id } }
  }`;
  const { id } = await app.make.product();
  const input = { customerEmail: "a@example.com", items: [{ productId: id, quantity: 1 }] };
  const statements = await statementsOf(query, { input });
  expect(statements.filter((text) => /^SELECT.*"?order_items"?/s.test(text))).toEqual([]);
});

/** Whether rows are counted, or a stored total is read. */
const isCounting = (statements: string[]) =>
  statements.some((text) => /count\(\*\)|order_totals\(/i.test(text));
const page = "{ data { id }";

const counting: [label: string, query: string, counted: boolean, variables?: object][] = [
  ["meta", `{ products ${page} meta { total } } }`, true],
  ["no meta", `{ products ${page} } }`, false],
  [
    "meta in a fragment",
    `{ products { ...P } } fragment P on ProductPage ${page} meta { total } }`,
    true,
  ],
  [
    "meta skipped",
    `query ($x: Boolean!) { products ${page} meta @skip(if: $x) { total } } }`,
    false,
    { x: true },
  ],
  [
    "meta included",
    `query ($x: Boolean = true) { products ${page} ... @include(if: $x) { meta { total } } } }`,
    true,
  ],
  ["no meta of orders", `{ orders ${page} } }`, false],
  ["no meta of nested pages", `{ categories { products ${page} } } }`, false],
  ["totalCount", `{ productsConnection { totalCount } }`, true],
  ["no totalCount", `{ productsConnection { edges { cursor } pageInfo { hasNextPage } } }`, false],
];

graphqlClauseEach(
  "10.counts",
  "what is asked for is counted, what is not is not",
  Object.fromEntries(counting.map((each) => [each[0], each])),
  async ([, query, counted, variables]) => {
    expect(isCounting(await statementsOf(query, variables))).toBe(counted);
  },
);

test("products of many categories are read in parts, so that not all come at once", async () => {
  await app.sql(`INSERT INTO categories (name, slug)
    SELECT 'More ' || n, 'more-' || n FROM generate_series(1, 12) n`);
  const count = async (table: string): Promise<number> =>
    (await app.sql<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`))[0]!.n;
  const parts = Math.ceil((await count("categories")) / 10);
  const query = "{ categories { products(pageSize: 50) { data { id } } } }";
  expect(await statementsOf(query)).toHaveLength(1 + parts);
  const { categories } = await dataOf<{ categories: { products: { data: object[] } }[] }>(
    app,
    query,
  );
  expect(categories.flatMap(({ products }) => products.data)).toHaveLength(await count("products"));
});
