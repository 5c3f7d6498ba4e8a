import { isSame } from "../inputs/values";
import { valueOf } from "../objects";
import type { Variables } from "../service";

/** The first order of lists of products. */
export const BY_NAME = { field: "NAME", direction: "ASC" };

/** The first order of searches: the best match comes first. */
export const BY_RELEVANCE = { field: "RELEVANCE", direction: "DESC" };

/**
 * Orders a list by relevance once it has a search, and by name once it has none, unless the user has chosen another
 * order.
 */
export function bestMatchFirst(changed: Variables, before: Variables): Variables {
  if (hasSearch(changed) === hasSearch(before)) return changed;
  const [from, to] = hasSearch(changed) ? [BY_NAME, BY_RELEVANCE] : [BY_RELEVANCE, BY_NAME];
  return isSame(changed["sort"], from) ? { ...changed, sort: to } : changed;
}

const hasSearch = ({ filter }: Variables): boolean => (valueOf(filter, "search") ?? "") !== "";

/** The document of a list of products that match a filter. The list can be sorted and paged. */
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
      ${["id", "name", "price", "isActive", ...more, "version"].join("\n      ")}
    }
  }
}`;
