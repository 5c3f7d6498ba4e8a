import { Agent } from "node:http";
import type { TestApp } from "../support/app";
import { send, sendJson, type Answer } from "../support/raw-http";

/** A read of the catalogue, and what it shows of the product or of the category that changes. */
interface CatalogueReadForm {
  readonly shows: "product" | "category";
  readonly read: (shop: TestApp) => Promise<Answer>;
}

/** What changes while it is read. */
export interface ShownRows {
  readonly product: { readonly id: number; readonly slug: string };
  readonly category: { readonly id: number; readonly slug: string };
}

const agent = new Agent({ keepAlive: true });

export const closeReaders = (): void => agent.destroy();

const rest = (path: string) => (shop: TestApp) => send(shop.url, { method: "GET", path }, agent);

const graphql =
  (query: string, variables: object = {}) =>
  (shop: TestApp) =>
    sendJson(shop.url, "POST", "/graphql", JSON.stringify({ query, variables }), {}, agent);

const CATEGORY_BY_SLUG = "query ($slug: String) { category(slug: $slug) { name } }";
const PRODUCT_BY_SLUG = "query ($slug: String) { product(slug: $slug) { price } }";

/** Every list and single read of the catalogue at both doors. */
export const readsOf = ({ product, category }: ShownRows): CatalogueReadForm[] => [
  { shows: "category", read: rest("/categories") },
  { shows: "product", read: rest("/products") },
  { shows: "product", read: rest("/products?page=1&pageSize=50") },
  { shows: "product", read: rest(`/products/${product.id}`) },
  { shows: "product", read: rest(`/products/category/${category.id}`) },
  { shows: "category", read: graphql("{ categories { name } }") },
  {
    shows: "category",
    read: graphql("query ($id: Int) { category(id: $id) { name } }", { id: category.id }),
  },
  { shows: "category", read: graphql(CATEGORY_BY_SLUG, { slug: category.slug }) },
  { shows: "product", read: graphql("{ products { data { price category { slug } } } }") },
  { shows: "category", read: graphql("{ products { data { slug category { name } } } }") },
  {
    shows: "product",
    read: graphql("query ($id: Int) { product(id: $id) { price } }", { id: product.id }),
  },
  { shows: "product", read: graphql(PRODUCT_BY_SLUG, { slug: product.slug }) },
  { shows: "product", read: graphql("{ productsConnection { edges { node { price } } } }") },
  { shows: "product", read: graphql("{ categories { products { data { price } } } }") },
];
