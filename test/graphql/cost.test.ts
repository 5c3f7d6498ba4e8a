import { useApp } from "../support/app";

const app = useApp();

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
const sortedConnection = (args: string) => `{ productsConnection(${args}) { edges { cursor } } }`;
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

test("the length of a connection counts the same from either end, and where none is given", async () => {
  const asked = (args: string) =>
    costOf(`{ productsConnection${args} { edges { node { category { id } } } } }`);
  const asVariables = `query ($first: Int, $last: Int) {
    productsConnection(first: $first, last: $last) { edges { node { category { id } } } } }`;
  for (const size of [1, 7, 50]) {
    const cost = 1 + 2 * size;
    expect(await asked(`(first: ${size})`)).toBe(cost);
    expect(await asked(`(last: ${size})`)).toBe(cost);
    expect(await costOf(asVariables, { first: size })).toBe(cost);
    expect(await costOf(asVariables, { last: size })).toBe(cost);
    // What is refused is measured first.
    expect(await costOf(asVariables, { first: 1, last: size })).toBe(cost);
  }
  for (const none of ["", "(first: null)", "(last: null)", `(before: "MTox")`]) {
    expect([none, await asked(none)]).toEqual([none, 21]);
  }
  for (const variables of [{}, { first: null }, { last: null }, { first: null, last: null }]) {
    expect([variables, await costOf(asVariables, variables)]).toEqual([variables, 21]);
  }
});

const far = (page: number) => `{ products(page: ${page}) { data { id } } }`;
const search = `filter: { search: "sencha" }`;

test.each<[string, string, number, object?]>([
  ["a product by its id", "{ product(id: 1) { id } }", 1],
  ["a category by its slug, under another name", `{ a: category(slug: "tea") { id } }`, 1],
  ["two products, each with its category", twice("product(id: 1) { category { id } }"), 4],
  ["all categories", "{ categories { id } }", 10],
  ["a page", "{ products { data { id } } }", 11],
  ["a page with prices", "{ products { data { prices { price } } } }", 111],
  ["a page with more prices", "{ products { data { prices(first: 50) { price } } } }", 511],
  ["a page with the lowest prices", "{ products { data { lowestPriceBefore } } }", 21],
  ["a page without its entries", "{ products { __typename } }", 1],
  ["a page with its total", "{ products { data { id } meta { page total } } }", 31],
  ["a total alone", "{ products(pageSize: 50) { meta { total } } }", 21],
  ["a page of orders with their items and products", orders("{ items { product { id } } }"), 211],
  ["a connection", "{ productsConnection(first: 5) { edges { cursor } } }", 6],
  [
    "a connection with its total",
    "{ productsConnection(first: 5) { edges { cursor } totalCount } }",
    26,
  ],
  ["a connection with categories", connection("{ node { category { id } } }"), 21],
  ["a search", `{ products(${search}) { data { id } } }`, 111],
  ["a search with its total", `{ products(${search}) { data { id } meta { total } } }`, 131],
  ["a search in a connection", `{ productsConnection(${search}) { edges { cursor } } }`, 111],
  ["a search of orders", `{ orders(filter: { customerSearch: "ada" }) { data { id } } }`, 111],
  ["no search", "{ products(filter: { search: null }) { data { id } } }", 11],
  ["a search in each category", `{ categories { products(${search}) { data { id } } } }`, 1120],
  ["a search that is a variable", ofVariable, 111, { filter: { search: "sencha" } }],
  ["a product found by its id", "{ products(filter: { ids: [7] }) { data { id } } }", 12],
  [
    "ids that are a variable, by another sort than an index serves",
    "query ($ids: [Int!]) { productsConnection(filter: { ids: $ids, isActive: true }, sort: { field: NAME }) { edges { cursor } } }",
    13,
    { ids: Array.from({ length: 11 }, (_, n) => n) },
  ],
  ["a connection by another sort", sortedConnection("sort: { field: PRICE }"), 11],
  [
    "a connection by another sort than an index serves",
    sortedConnection("last: 5, sort: { field: PRICE }, filter: { isActive: true }"),
    36,
  ],
  ["a sort that an index serves", sorted("PRICE"), 11],
  ["conditions that its index does not serve", sorted("NAME", "minPrice: 1"), 41],
  ["active ones, newest first", sorted("CREATED_AT", "isActive: true"), 11],
  ["active ones by price", sorted("PRICE", "isActive: true"), 41],
  ["any conditions within a category", sorted("NAME", "categoryId: 1, isActive: true"), 11],
  ["active ones of a price", sorted("CREATED_AT", "isActive: true, minPrice: 1"), 41],
  ["the tenth page", far(10), 11],
  ["the eleventh page", far(11), 12],
  ["a page at the end of the world", far(2147483647), 111],
  ["a page far from the beginning of orders", "{ orders(page: 101) { data { id } } }", 21],
  ["a page that is refused", far(-5), 11],
  ["a page size that is too small", "{ products(pageSize: -5) { data { id } } }", 2],
  ["a page size that is too large", "{ products(pageSize: 51) { data { id } } }", 51],
  ["a length that is refused", "{ productsConnection(last: -5) { edges { cursor } } }", 2],
  ["the schema", "{ __schema { types { fields { name } } } }", 0],
  [
    "pages in fragments, each by its own size",
    "{ a: products(pageSize: 1) { ...P } b: products(pageSize: 50) { ...P } } fragment P on ProductPage { data { id } }",
    53,
  ],
])("%s costs what docs/graphql.md says", async (_label, query, cost, variables = {}) => {
  expect(await costOf(query, variables)).toBe(cost);
});
