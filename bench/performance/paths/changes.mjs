const CHANGED = 100;

const MUTATION = `mutation ($id: Int!, $price: Decimal!) { updateProduct(id: $id, input: { price: $price }) { id price } }`;

/** Changes of prices: each request changes the price that the one a hundred before it has set. */
const requests = ({ products, token }) =>
  Array.from({ length: 2 * CHANGED }, (_, index) => ({
    method: "POST",
    path: "/graphql",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({
      query: MUTATION,
      variables: { id: products[index % CHANGED], price: index < CHANGED ? "12.30" : "11.90" },
    }),
  }));

/** Changes of the catalogue by administrators. */
export const changes = [
  {
    name: "product-changes",
    title: "GraphQL updateProduct, a new price",
    contenders: ["service"],
    requests,
    targets: [],
  },
];
