const FIELDS = "id name slug description price isActive categoryId createdAt updatedAt";

const QUERY = `{ products { data { ${FIELDS} category { id name slug } } meta { total page pageSize totalPages } } }`;

/** PostGraphile's names are derived from the tables, and its pages have no number. */
const POSTGRAPHILE_QUERY = `{ allProducts(first: 10, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) {
  nodes { rowId name slug description price isActive categoryId createdAt updatedAt
    categoryByCategoryId { rowId name slug } } totalCount } }`;

const post = (query) => ({
  method: "POST",
  path: "/graphql",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ query }),
});

const instant = (time) => new Date(time).toISOString();

/** PostGraphile's answer with the names and forms of the service. */
function fromPostgraphile({ data: { allProducts } }) {
  /** @param {any} row */
  const named = ({ rowId, ...rest }) => ({ id: rowId, ...rest });
  const data = allProducts.nodes.map(({ categoryByCategoryId: category, ...product }) => ({
    ...named(product),
    createdAt: instant(product.createdAt),
    updatedAt: instant(product.updatedAt),
    category: named(category),
  }));
  const total = allProducts.totalCount;
  const meta = { total, page: 1, pageSize: 10, totalPages: Math.ceil(total / 10) };
  return { data: { products: { data, meta } } };
}

const common = {
  requests: () => [post(QUERY)],
  requestsOf: { postgraphile: () => [post(POSTGRAPHILE_QUERY)] },
  translate: { postgraphile: fromPostgraphile },
};

/** The GraphQL list of products, each with its category, and the page's meta. */
export const graphql = [
  {
    ...common,
    name: "graphql",
    title: "GraphQL products, category, meta",
    contenders: ["uncached", "floor", "postgraphile"],
    targets: [
      { of: "uncached", to: "floor", atLeast: 0.5 },
      { of: "uncached", to: "postgraphile", atLeast: 1.8 },
    ],
  },
  {
    ...common,
    name: "graphql-repeated",
    title: "GraphQL products, category, meta, repeated",
    contenders: ["service", "floor"],
    targets: [{ of: "service", to: "floor", atLeast: 1.6 }],
  },
];
