/** What products are listed by at first. */
export const BY_NAME = { field: "NAME", direction: "ASC" };

/** What a search lists them by at first: the best match first. */
export const BY_RELEVANCE = { field: "RELEVANCE", direction: "DESC" };

/** The document of a list of products that can be sorted and paged: those of a filter. */
export const productList = (
  name: string,
  variable: string,
  filter: string,
  ...more: string[]
): string => `query ${name}(
  ${variable}
  $sort: ProductSort
  $page: Int! = 1
) {
  products(
    filter: ${filter}
    sort: $sort
    page: $page
    pageSize: 50
  ) {
    meta { total page totalPages }
    data {
      ${["id", "name", "price", "isActive", ...more].join("\n      ")}
    }
  }
}`;
