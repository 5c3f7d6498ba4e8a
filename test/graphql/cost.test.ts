import { startApp, type TestApp } from "../support/app";

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});

afterAll(() => app.close());

interface Answer {
  readonly errors?: { message: string; extensions: { code: string } }[];
  readonly extensions?: { cost?: { cost: number } };
}

async function ask(query: string, variables?: object): Promise<Answer> {
  const { body } = await app.http
    .post("/graphql")
    .send({ query, variables, extensions: { cost: true } });
  return body as Answer;
}

const costOf = async (query: string, variables?: object): Promise<number | undefined> =>
  (await ask(query, variables)).extensions?.cost?.cost;

const twice = (field: string) => `{ a: ${field} b: ${field} }`;
const orders = (selection: string) => `{ orders { data ${selection} } }`;
const connection = (selection: string) => `{ productsConnection { edges ${selection} } }`;
const sorted = (field: string, filter = "") =>
  `{ products(sort: { field: ${field} }, filter: { ${filter} }) { data { id } } }`;
const ofVariable = `query ($filter: ProductFilter) { products(filter: $filter) { data { id } } }`;

test("page sizes count the same however they are given", async () => {
  const selection = "{ data { category { id } } }";
  const literal = await costOf(`{ products(pageSize: 50) ${selection} }`);
  const asVariable = `query ($n: Int!) { products(pageSize: $n) ${selection} }`;
  const byDefault = `query ($n: Int! = 50) { products(pageSize: $n) ${selection} }`;
  expect(literal).toBe(101);
  expect(await costOf(asVariable, { n: 50 })).toBe(literal);
  expect(await costOf(byDefault)).toBe(literal);
  expect(await costOf(byDefault, { n: 10 })).toBe(await costOf(`{ products ${selection} }`));
});

test("a variable that is missing is refused by the language, whatever it would cost", async () => {
  const query = "query ($n: Int!) { products(pageSize: $n) { data { id } } }";
  expect(await ask(query)).toMatchObject({ errors: [{ extensions: { code: "BAD_USER_INPUT" } }] });
  const mutation = "mutation ($id: Int!) { deleteProduct(id: $id) { id } }";
  expect(await ask(mutation)).toMatchObject({
    errors: [{ extensions: { code: "BAD_USER_INPUT" } }],
  });
});

const far = (page: number) => `{ products(page: ${page}) { data { id } } }`;
const search = `filter: { search: "sencha" }`;

test.each<[string, string, number, object?]>([
  ["a product by its id", "{ product(id: 1) { id } }", 1],
  ["a category by its slug, under another name", `{ a: category(slug: "tea") { id } }`, 1],
  ["two products, each with its category", twice("product(id: 1) { category { id } }"), 4],
  ["all categories", "{ categories { id } }", 10],
  ["a page", "{ products { data { id } } }", 11],
  ["a page without its entries", "{ products { __typename } }", 1],
  ["a page with its total", "{ products { data { id } meta { page total } } }", 31],
  ["a total alone", "{ products(pageSize: 50) { meta { total } } }", 21],
  ["a page of orders with their items and products", orders("{ items { product { id } } }"), 211],
  ["a connection", "{ productsConnection(first: 5) { edges { cursor } } }", 6],
  [
    "a connection with all there is",
    "{ productsConnection(first: 5) { edges { node { id } cursor } pageInfo { endCursor } totalCount } }",
    26,
  ],
  ["a connection with categories", connection("{ node { category { id } } }"), 21],
  ["a search", `{ products(${search}) { data { id } } }`, 111],
  ["a search with its total", `{ products(${search}) { data { id } meta { total } } }`, 131],
  ["a search in a connection", `{ productsConnection(${search}) { edges { cursor } } }`, 111],
  ["no search", "{ products(filter: { search: null }) { data { id } } }", 11],
  ["a search in each category", `{ categories { products(${search}) { data { id } } } }`, 1120],
  ["a search that is a variable", ofVariable, 111, { filter: { search: "sencha" } }],
  ["no search, being no variable", ofVariable, 11, {}],
  ["a sort that an index serves", sorted("PRICE"), 11],
  ["conditions that its index serves", sorted("PRICE", "minPrice: 1, maxPrice: 5"), 11],
  ["conditions that its index does not serve", sorted("NAME", "minPrice: 1"), 41],
  ["active ones, newest first", sorted("CREATED_AT", "isActive: true"), 11],
  ["active ones by price", sorted("PRICE", "isActive: true"), 41],
  ["any conditions within a category", sorted("NAME", "categoryId: 1, isActive: true"), 11],
  [
    "active ones of a certain price",
    "{ products(filter: { isActive: true, minPrice: 1 }) { data { id } } }",
    41,
  ],
  ["the tenth page", far(10), 11],
  ["the eleventh page", far(11), 12],
  ["a page far from the beginning", far(501), 61],
  ["a page at the end of the world", far(2147483647), 111],
  ["a page far from the beginning of orders", "{ orders(page: 101) { data { id } } }", 21],
  ["a page that is refused", far(-5), 11],
  ["the schema", "{ __schema { types { fields { name } } } }", 0],
  [
    "pages in fragments, each by its own size",
    "{ a: products(pageSize: 1) { ...P } b: products(pageSize: 50) { ...P } } fragment P on ProductPage { data { id } }",
    53,
  ],
])("%s costs what docs/graphql.md says", async (_label, query, cost, variables = {}) => {
  expect(await costOf(query, variables)).toBe(cost);
});
