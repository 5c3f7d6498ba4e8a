import { Agent } from "node:http";
import type { TestApp } from "../support/app";
import { send, sendJson, type Answer } from "../support/raw-http";

/** A read of the catalogue, and what it shows of the product or of the category that changes. */
interface CatalogueReadForm {
  readonly shows: "product" | "category";
  readonly read: (shop: TestApp) => Promise<Answer>;
}

const agent = new Agent({ keepAlive: true });

export const closeReaders = (): void => agent.destroy();

const rest = (path: string) => (shop: TestApp) => send(shop.url, { method: "GET", path }, agent);

const graphql =
  (query: string, variables: object = {}) =>
  (shop: TestApp) =>
    sendJson(shop.url, "POST", "/graphql", JSON.stringify({ query, variables }), {}, agent);

/** Every list and single read of the catalogue at both doors. */
export const readsOf = (ids: { product: number; category: number }): CatalogueReadForm[] => [
  { shows: "category", read: rest("/categories") },
  { shows: "product", read: rest("/products") },
  { shows: "product", read: rest("/products?page=1&pageSize=50") },
  { shows: "product", read: rest(`/products/${ids.product}`) },
  { shows: "product", read: rest(`/products/category/${ids.category}`) },
  { shows: "category", read: graphql("{ categories { name } }") },
  {
    shows: "category",
    read: graphql("query ($id: Int) { category(id: $id) { name } }", { id: ids.category }),
  },
  { shows: "product", read: graphql("{ products { data { price category { slug } } } }") },
  { shows: "category", read: graphql("{ products { data { slug category { name } } } }") },
  {
    shows: "product",
    read: graphql("query ($id: Int) { product(id: $id) { price } }", { id: ids.product }),
  },
  { shows: "product", read: graphql("{ productsConnection { edges { node { price } } } }") },
  { shows: "product", read: graphql("{ categories { products { data { price } } } }") },
];
