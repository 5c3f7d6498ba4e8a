import { isSame } from "../inputs/values";
import { valueOf } from "../objects";
import type { Variables } from "../service";

/** What products are listed by at first. */
export const BY_NAME = { field: "NAME", direction: "ASC" };

/** What a search lists them by at first: the best match first. */
export const BY_RELEVANCE = { field: "RELEVANCE", direction: "DESC" };

/**
 * Lists by relevance as soon as something is searched for, and as before once nothing is: unless another order was
 * chosen meanwhile.
 */
export function bestMatchFirst(changed: Variables, before: Variables): Variables {
  if (hasSearch(changed) === hasSearch(before)) return changed;
  const [from, to] = hasSearch(changed) ? [BY_NAME, BY_RELEVANCE] : [BY_RELEVANCE, BY_NAME];
  return isSame(changed["sort"], from) ? { ...changed, sort: to } : changed;
}

const hasSearch = ({ filter }: Variables): boolean => (valueOf(filter, "search") ?? "") !== "";

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
