const times = (count, write, separator = " ") =>
  Array.from({ length: count }, (_, index) => write(index)).join(separator);

const query = (text) => ({ query: text });

/** Asks for these fields of the products of all categories, as many products as a page may hold. */
const ofProducts = (selection) =>
  query(`{ categories { products(pageSize: 50) { data { ${selection} } } } }`);

const items = (count) =>
  Array.from({ length: count }, (_, index) => ({ productId: index + 1, quantity: 1 }));

const PLACE = "placeOrder(input: $input) { id }";

/**
 * Kinds of GraphQL documents that try to cost much; `write` makes the document of size `n`. Size
 * 1 is always accepted.
 */
export const shapes = [
  {
    title: "aliases of introspection",
    most: 50,
    write: (n) =>
      query(
        `{ __schema { ${times(n, (i) => `a${i}: types { fields { args { name type { name kind ofType { name kind } } } type { name kind } } }`)} } }`,
      ),
  },
  {
    title: "aliases of types in introspection",
    most: 50,
    write: (n) =>
      query(`{ __schema { ${times(n, (i) => `a${i}: types { fields { type { ...T } } }`)} } }
        fragment T on __Type { name kind name kind ofType { kind ofType { kind } } }`),
  },
  {
    title: "fragments in introspection",
    most: 24,
    write: (n) =>
      query(`{ __schema { ${times(n, (i) => `a${i}: types { ...F }`)} } }
        fragment F on __Type { ${times(n, (i) => `b${i}: fields { ...G }`)} }
        fragment G on __Field { name type { name kind } }`),
  },
  {
    title: "fragments in introspection that double",
    most: 60,
    write: (n) =>
      query(`{ __schema { ...F0 } } ${times(n, (i) => `fragment F${i} on __Schema { ...F${i + 1} ... { ...F${i + 1} } }`)}
        fragment F${n} on __Schema { types { fields { name } } }`),
  },
  {
    title: "fragments of a page that double",
    most: 60,
    write: (n) =>
      query(`{ products { ...F0 } } ${times(n, (i) => `fragment F${i} on ProductPage { ...F${i + 1} ... { ...F${i + 1} } }`)}
        fragment F${n} on ProductPage { data { id } }`),
  },
  {
    title: "repeated leaves",
    most: 1990,
    write: (n) => query(`{ categories { ${"id ".repeat(n)} } }`),
  },
  {
    title: "repeated lists",
    most: 490,
    write: (n) => query(`{ ${"categories { id } ".repeat(n)} }`),
  },
  {
    title: "repeated fields with arguments",
    most: 200,
    write: (n) => query(`{ ${"product(id: 1) { id } ".repeat(n)} }`),
  },
  {
    title: "repeated fields with objects",
    most: 100,
    write: (n) =>
      query(
        `{ ${'products(pageSize: 1, filter: { isActive: true, categoryId: 1, minPrice: "1.00" }) { data { id } } '.repeat(n)} }`,
      ),
  },
  {
    title: "repeated pages within each other",
    most: 30,
    write: (n) =>
      query(
        `{ ${`categories { ${"products(pageSize: 1) { data { id } } ".repeat(n)} } `.repeat(7)} }`,
      ),
  },
  {
    title: "fragments that overlap",
    most: 120,
    write: (n) =>
      query(
        `{ categories { ${times(n, (i) => `...F${i}`)} } } ${times(n, (i) => `fragment F${i} on Category { id name }`)}`,
      ),
  },
  {
    title: "inline fragments",
    most: 480,
    write: (n) => query(`{ categories { ${"... { id } ".repeat(n)} } }`),
  },
  {
    title: "inline fragments within each other",
    most: 190,
    write: (n) => query(`{ ${"... { id: __typename ".repeat(n)} ${"}".repeat(n)} }`),
  },
  {
    title: "numbers of products",
    most: 50,
    write: (n) => ofProducts(times(n, (i) => `a${i}: id`)),
  },
  {
    title: "prices of products",
    most: 50,
    write: (n) => ofProducts(times(n, (i) => `a${i}: price`)),
  },
  {
    title: "times of products",
    most: 50,
    write: (n) => ofProducts(times(n, (i) => `a${i}: createdAt`)),
  },
  {
    title: "names of the type of products",
    most: 50,
    write: (n) => ofProducts(times(n, (i) => `a${i}: __typename`)),
  },
  { title: "the same leaf of products", most: 1900, write: (n) => ofProducts("id ".repeat(n)) },
  {
    title: "whole products",
    most: 49,
    write: (n) =>
      query(
        `{ ${times(n, (i) => `p${i}: products(pageSize: 50, page: ${i + 1}) { data { id name slug price isActive categoryId createdAt updatedAt } }`)} }`,
      ),
  },
  {
    title: "the longest texts",
    most: 49,
    write: (n) =>
      query(
        `{ ${times(n, (i) => `p${i}: products(pageSize: 50, page: ${i + 1}) { data { description } }`)} }`,
      ),
  },
  {
    title: "categories of products",
    most: 49,
    write: (n) =>
      query(
        `{ products(pageSize: 39) { data { ${times(n, (i) => `a${i}: category { id name slug createdAt }`)} } } }`,
      ),
  },
  {
    title: "products of categories of products",
    most: 50,
    write: (n) =>
      query(
        `{ products(pageSize: ${n}) { data { category { products(pageSize: 36) { data { id name category { name } } } } } } }`,
      ),
  },
  {
    title: "pages of categories",
    most: 49,
    write: (n) =>
      query(
        `{ categories { ${times(n, (i) => `a${i}: products(pageSize: 3, page: ${i + 1}) { data { id } }`)} } }`,
      ),
  },
  {
    title: "products by id",
    most: 50,
    write: (n) =>
      query(`{ ${times(n, (i) => `a${i}: product(id: ${i + 1}) { id category { name } }`)} }`),
  },
  {
    title: "searches with totals",
    most: 50,
    write: (n) =>
      query(
        `{ ${times(n, (i) => `a${i}: products(filter: { search: "zz${i}" }) { data { id } meta { total } }`)} }`,
      ),
  },
  {
    title: "pages far from the beginning",
    most: 50,
    write: (n) =>
      query(
        `{ ${times(n, (i) => `a${i}: products(pageSize: 5, page: ${100000 + i}) { data { id } meta { total } }`)} }`,
      ),
  },
  {
    title: "refused orders of many items in a variable",
    most: 2500,
    write: (n) => ({
      query: `mutation ($input: PlaceOrderInput!) { ${times(50, (i) => `a${i}: ${PLACE}`)} }`,
      variables: { input: { customerEmail: "a@torture.example", items: items(n) } },
    }),
  },
  {
    title: "refused orders of the most items",
    most: 100,
    write: (n) => ({
      query: `mutation ($input: PlaceOrderInput!) { ${times(50, (i) => `a${i}: ${PLACE}`)} }`,
      variables: {
        input: {
          customerEmail: "a@torture.example",
          items: [...items(n - 1), { productId: 1, quantity: 0 }],
        },
      },
    }),
  },
  {
    title: "a text of blanks and comments",
    most: 40_000,
    write: (n) => query(`{ __typename } ${"#\n".repeat(n)}`),
  },
  {
    title: "words of a search",
    most: 49,
    write: (n) =>
      query(
        `{ ${times(n, (i) => `a${i}: products(pageSize: 1, filter: { search: "${"z ".repeat(99)}${i}" }) { data { id } }`)} }`,
      ),
  },
];
