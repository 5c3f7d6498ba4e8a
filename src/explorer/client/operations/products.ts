import type { Group, Prepared } from "./prepared";
import { bestMatchFirst, BY_NAME, BY_RELEVANCE, productList } from "./product-list";

/** A product with its present and its former prices. */
export const withPrices: Prepared = {
  label: "A product with its prices",
  query: `query ProductWithPrices($id: Int!) {
  product(id: $id) {
    id
    name
    slug
    price
    lowestPriceBefore
    isActive
    version
    prices(first: 50) { price from until }
  }
}`,
  variables: () => ({}),
};

/** The operation that visitors see before they sign in. */
export const catalogue: Prepared = {
  label: "Catalogue with categories",
  query: `query Catalogue(
  $page: Int! = 1
  $sort: ProductSort
) {
  products(
    page: $page
    pageSize: 50
    sort: $sort
  ) {
    meta { total page totalPages }
    data {
      id
      name
      price
      isActive
      category { name }
      version
    }
  }
}`,
  variables: () => ({ page: 1, sort: BY_NAME }),
};

export const products: Group = {
  label: "Products",
  operations: [
    {
      label: "Products",
      query: productList("Products", "$filter: ProductFilter", "$filter", "category { name }"),
      variables: () => ({ filter: {}, sort: BY_NAME }),
      follows: bestMatchFirst,
    },
    {
      label: "Find a product",
      query: productList(
        "FindProduct",
        "$search: String!",
        "{ search: $search }",
        "category { name }",
      ),
      variables: () => ({ sort: BY_RELEVANCE }),
    },
    withPrices,
    {
      label: "New product",
      query: `mutation NewProduct($input: CreateProductInput!) {
  createProduct(input: $input) {
    id
    name
    slug
    price
    isActive
    category { id name }
    version
  }
}`,
      variables: () => ({ input: { isActive: false } }),
      created: ({ id, name }) => `“${String(name)}” is created as product ${String(id)}`,
    },
  ],
};
