import { call } from "../../support/http.mjs";
import { pagesOf } from "./lists.mjs";

const get = (path) => ({ method: "GET", path });

/** The same request, on condition that the answer has changed since. */
async function conditional(url, request) {
  const { headers } = await call(url, request);
  return headers.etag === undefined
    ? request
    : { ...request, headers: { "if-none-match": headers.etag } };
}

/** Reads of the catalogue at REST. */
export const catalogue = [
  {
    name: "products",
    title: "GET /products, page 1",
    contenders: ["uncached", "floor", "sequelize"],
    requests: () => [get("/products")],
    targets: [{ of: "uncached", to: "floor", atLeast: 0.75 }],
  },
  {
    name: "pages",
    title: "GET /products, random pages",
    contenders: ["uncached", "floor", "sequelize"],
    requests: ({ counts }) => pagesOf(counts.products).map((page) => get(`/products?page=${page}`)),
    targets: [{ of: "uncached", to: "floor", atLeast: 0.75 }],
  },
  {
    name: "products-repeated",
    title: "GET /products, page 1, repeated",
    contenders: ["service", "floor"],
    requests: () => [get("/products")],
    targets: [{ of: "service", to: "floor", atLeast: 3.5 }],
  },
  {
    name: "products-unchanged",
    title: "GET /products, page 1, If-None-Match",
    contenders: ["service", "floor"],
    requests: () => [get("/products")],
    prepare: conditional,
    targets: [{ of: "service", to: "floor", atLeast: 5 }],
  },
  {
    name: "product",
    title: "GET /products/:id",
    contenders: ["uncached", "service", "floor", "sequelize"],
    requests: ({ products }) => products.slice(0, 200).map((id) => get(`/products/${id}`)),
    targets: [{ of: "uncached", to: "floor", atLeast: 1.8 }],
  },
  {
    name: "categories",
    title: "GET /categories, repeated",
    contenders: ["service", "uncached", "floor"],
    requests: () => [get("/categories")],
    targets: [{ of: "service", to: "floor", atLeast: 1.5 }],
  },
  {
    name: "category",
    title: "GET /products/category/:id, repeated",
    contenders: ["service", "uncached", "floor"],
    requests: ({ category }) => [get(`/products/category/${category}`)],
    targets: [{ of: "service", to: "floor", atLeast: 3.5 }],
  },
];
