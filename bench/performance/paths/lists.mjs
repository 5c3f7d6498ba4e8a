const PAGES = 100;
const PAGE_SIZE = 10;

/** Pages of a list of so many rows, evenly apart, the first and the last one among them. */
export function pagesOf(count) {
  const last = Math.max(1, Math.floor(count / PAGE_SIZE));
  return Array.from({ length: PAGES }, (_, at) => 1 + Math.round((at * (last - 1)) / (PAGES - 1)));
}

const tokenOf = ({ token }) => ({ authorization: `Bearer ${token}` });

const rest =
  (path, headersOf = undefined) =>
  (page, data) => ({
    method: "GET",
    path: `${path}${path.includes("?") ? "&" : "?"}page=${page}`,
    headers: headersOf?.(data),
  });

/** Entries of a list with its total; `others` are the arguments beside the page. */
const graphql = (list, fields, others) => (page, data) => ({
  method: "POST",
  path: "/graphql",
  headers: { "content-type": "application/json", ...tokenOf(data) },
  body: JSON.stringify({
    query: `{ ${list}(page: ${page}, ${others(data)}) { data { ${fields} } meta { total } } }`,
  }),
});

const products = (others) => graphql("products", "id name price", others);
const orders = (others) => graphql("orders", "id customerEmail", others);

/** Each list, with the share of the products or orders that it surely has, and the request for one of its pages. */
const LISTS = [
  {
    name: "list-products",
    title: "GET /products",
    rows: ({ products }) => products,
    requestOf: rest("/products"),
  },
  {
    name: "list-category",
    title: "GraphQL products, of a category",
    rows: ({ products }) => products / 10,
    requestOf: products(({ category }) => `filter: { categoryId: ${category} }`),
  },
  {
    name: "list-search",
    title: "GraphQL products, a frequent word, by name",
    rows: ({ products }) => products / 30,
    requestOf: products(
      () => `filter: { search: "sencha" }, sort: { field: NAME, direction: ASC }`,
    ),
  },
  {
    name: "list-orders",
    title: "GET /orders",
    rows: ({ orders }) => orders,
    requestOf: rest("/orders", tokenOf),
  },
  {
    name: "list-paid",
    title: "GET /orders, PAID",
    rows: ({ orders }) => orders * 0.6,
    requestOf: rest("/orders?status=PAID", tokenOf),
  },
  {
    name: "list-addresses",
    title: "GraphQL orders, a part of many addresses",
    rows: ({ orders }) => orders / 50,
    requestOf: orders(() => `filter: { customerSearch: "fatima" }`),
  },
];

/** Lists with their totals: the first page again and again, and pages from the first to the last. */
export const lists = LISTS.flatMap(({ name, title, rows, requestOf }) =>
  [false, true].map((isDeep) => ({
    name: isDeep ? `${name}-deep` : name,
    title: `${title}, ${isDeep ? "deep pages" : "page 1"}`,
    contenders: ["uncached"],
    requests: (data) =>
      (isDeep ? pagesOf(rows(data.counts)) : [1]).map((page) => requestOf(page, data)),
    targets: [],
  })),
);
