import type { Client } from "@urql/core";
import { dataOf } from "./client";
import { graphql } from "./generated";
import type {
  ProductFilter,
  ProductSort,
  ScrollProductsQuery,
  SearchProductsQuery,
} from "./generated/graphql";

/** Which products, and in which order; all of them, newest first, where nothing is said. */
export interface Selection {
  readonly filter?: ProductFilter;
  readonly sort?: ProductSort;
}

export const SCROLL_PRODUCTS = graphql(`
  query ScrollProducts($first: Int!, $after: String, $filter: ProductFilter, $sort: ProductSort) {
    productsConnection(first: $first, after: $after, filter: $filter, sort: $sort) {
      edges {
        node {
          id
          name
          price
          category {
            name
          }
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

type ScrolledProduct = ScrollProductsQuery["productsConnection"]["edges"][number]["node"];

/** Reads products part by part, as an endless list does; none comes twice, and none is left out. */
export async function* scrollProducts(
  client: Client,
  { filter, sort }: Selection = {},
  first = 20,
): AsyncGenerator<readonly ScrolledProduct[]> {
  let after: string | null = null;
  do {
    const result: ScrollProductsQuery = dataOf(
      await client.query(SCROLL_PRODUCTS, { first, after, filter, sort }),
    );
    const { edges, pageInfo } = result.productsConnection;
    yield edges.map(({ node }) => node);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
}

export const SEARCH_PRODUCTS = graphql(`
  query SearchProducts($words: String!, $page: Int!) {
    products(
      page: $page
      pageSize: 24
      filter: { search: $words, isActive: true }
      sort: { field: RELEVANCE }
    ) {
      data {
        id
        name
        price
      }
      meta {
        total
        totalPages
      }
    }
  }
`);

/** A page of the products that can be ordered and have all of the words in name or description, best matches first. */
export async function searchProducts(
  client: Client,
  words: string,
  page = 1,
): Promise<SearchProductsQuery["products"]> {
  return dataOf(await client.query(SEARCH_PRODUCTS, { words, page })).products;
}
