const PAGES = 100;

const pages = (pathOf) => Array.from({ length: PAGES }, (_, index) => pathOf(index + 1));

const ORDERS = `query ($page: Int!) {
  orders(page: $page) { data { id customerEmail totalAmount items { quantity } } meta { total } }
}`;

/**
 * What is read from replicas; `form` is the form of the service that reads it. The target is the part of the primary's
 * processor time that a request may still cost.
 */
export function pathsFor({ token }) {
  const headers = { authorization: `Bearer ${token}` };
  const get = (path) => ({ method: "GET", path, headers });
  return [
    {
      title: "GET /orders, random pages",
      form: "service",
      requests: pages((page) => get(`/orders?page=${page}`)),
      atMost: 0.1,
    },
    {
      title: "GraphQL orders, items, meta, random pages",
      form: "service",
      requests: pages((page) => ({
        method: "POST",
        path: "/graphql",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ query: ORDERS, variables: { page } }),
      })),
      atMost: 0.1,
    },
    {
      title: "GET /products, random pages, nothing shared or cached",
      form: "alone",
      requests: pages((page) => get(`/products?page=${page}`)),
    },
    {
      title: "GET /products, page 1, repeated",
      form: "service",
      requests: [get("/products")],
    },
  ];
}
