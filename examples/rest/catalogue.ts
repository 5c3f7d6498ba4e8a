import { dataOf, type Schemas, type Shop } from "./client";

type Product = Schemas["Product"];

/**
 * Reads all products page by page, newest first. A product that is added meanwhile moves the others on, so one
 * may come twice; the connections of GraphQL don't have that.
 */
export async function* productPages(shop: Shop, pageSize = 50): AsyncGenerator<readonly Product[]> {
  for (let page = 1; ; page++) {
    const query = { page, pageSize };
    const { data, meta } = await dataOf(shop.GET("/products", { params: { query } }));
    yield data;
    if (page >= meta.totalPages) return;
  }
}

/**
 * Products that can be ordered and have all of the words in name or description. REST has no search, so this
 * reads the whole list: for a large shop, search at GraphQL.
 */
export async function findProducts(shop: Shop, words: string): Promise<Product[]> {
  const wanted = words.toLowerCase().split(/\s+/);
  const found = new Map<number, Product>();
  for await (const page of productPages(shop)) {
    for (const product of page) {
      const text = `${product.name}\n${product.description}`.toLowerCase();
      if (product.isActive && wanted.every((word) => text.includes(word))) {
        found.set(product.id, product);
      }
    }
  }
  return [...found.values()];
}
