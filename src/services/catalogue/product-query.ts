import sql, { type Sql } from "sql-template-tag";
import {
  MAX_IDS,
  ProductSortField,
  type ProductFilter,
  type ProductSort,
} from "./inputs/product-inputs";
import { costOfFinding, LIST_COSTS, type ListOptions } from "../../lists/lists";
import type { ListTotal } from "../../lists/list-query";
import type { CatalogueVersion } from "../../reads/catalogue-version";

export interface ProductSearch {
  readonly filter?: ProductFilter | null | undefined;
  readonly sort?: Partial<ProductSort> | null | undefined;
  /** Whether the list is limited to one category, in addition to the filter. */
  readonly inCategory?: boolean;
}

/** Which products a list shows, and in which order; `null` counts as left out. */
export interface ProductQuery extends ListOptions {
  readonly filter?: ProductFilter | null | undefined;
  readonly sort?: ProductSort | null | undefined;
  /** Whether each product comes with its category. */
  readonly withCategories?: boolean;
  /** Whether each product comes with its description, which may be long; it does if this is left out. */
  readonly withDescriptions?: boolean;
}

const CATEGORY = ["categoryId", "categorySlug"];

/** The filter fields that an index supports together with each sort. */
const served: Record<ProductSortField, readonly string[]> = {
  [ProductSortField.CREATED_AT]: ["isActive"],
  [ProductSortField.NAME]: [],
  [ProductSortField.PRICE]: ["minPrice", "maxPrice"],
  [ProductSortField.RELEVANCE]: [],
};

const servedBy = (sort: ProductSearch["sort"]): readonly string[] =>
  served[sort?.field ?? ProductSortField.CREATED_AT];

/** The cost of finding products, in the unit of {@link LIST_COSTS}; `null` counts as left out. */
export function findingCost({ filter, sort, inCategory = false }: ProductSearch): number {
  const given = Object.entries(filter ?? {}).flatMap(([name, value]: [string, unknown]) =>
    value === undefined || value === null ? [] : [name],
  );
  // The ids leave few rows to sort and to filter. A filter with more than MAX_IDS is refused.
  if (given.includes("ids")) return costOfFinding(Math.min(filter?.ids?.length ?? 0, MAX_IDS));
  if (given.includes("search")) return LIST_COSTS.search;
  // The index by category leaves few rows to sort.
  if (inCategory || given.some((name) => CATEGORY.includes(name))) return 0;
  const byIndex = servedBy(sort);
  return given.every((name) => byIndex.includes(name)) ? 0 : LIST_COSTS.scan;
}

/** The conditions of a list of products. */
export interface ProductConditions {
  readonly where: readonly Sql[];
  /** The conditions of a search, with those of the filter that the index of the order does not support. */
  readonly search?: readonly Sql[];
}

/** The conditions of a filter. */
export function productConditions({ filter, sort }: ProductSearch): ProductConditions {
  const { search, ...others } = filter ?? {};
  const conditions = conditionsByField(others);
  if (search === undefined) return { where: conditions.map(({ condition }) => condition) };
  const byIndex = ["ids", ...CATEGORY, ...servedBy(sort)];
  const where: Sql[] = [];
  const found = searchConditions(search);
  // No index has this order, so the sorted list can't be searched from its beginning.
  if (sort?.field === ProductSortField.RELEVANCE) {
    return { where: [...conditions.map(({ condition }) => condition), ...found] };
  }
  for (const { field, condition } of conditions) {
    (byIndex.includes(field) ? where : found).push(condition);
  }
  return { where, search: found };
}

function conditionsByField({
  ids,
  categoryId,
  categorySlug,
  isActive,
  minPrice,
  maxPrice,
}: ProductFilter): { readonly field: string; readonly condition: Sql }[] {
  const conditions: Record<string, Sql | false> = {
    // As a subquery, the ids are unknown to the planner. Otherwise it would sometimes walk through the index of
    // the order until it has met enough of them.
    ids: ids !== undefined && sql`id = ANY(ARRAY(SELECT unnest(${ids}::integer[])))`,
    categoryId: categoryId !== undefined && sql`category_id = ${categoryId}`,
    categorySlug:
      categorySlug !== undefined &&
      sql`category_id = (SELECT id FROM categories WHERE slug = ${categorySlug})`,
    isActive: isActive !== undefined && sql`is_active = ${isActive}`,
    minPrice: minPrice !== undefined && sql`price >= ${minPrice.toString()}::numeric`,
    maxPrice: maxPrice !== undefined && sql`price <= ${maxPrice.toString()}::numeric`,
  };
  return Object.entries(conditions).flatMap(([field, condition]) =>
    condition ? [{ field, condition }] : [],
  );
}

/** Each word occurs in the name or the description. A search without a letter or digit finds nothing. */
function searchConditions(search: string): Sql[] {
  if (!/[\p{L}\p{N}]/u.test(search)) return [sql`false`];
  return wordsOf(search).map((word) => sql`search_text LIKE containing(${word})`);
}

/** The words of a search, each once. */
export const wordsOf = (search: string): readonly string[] => [
  ...new Set(search.split(/\s+/u).filter((word) => word !== "")),
];

/** The filter fields of lists that are read often: their totals are cached. */
const FREQUENT = { categoryId: "category", categorySlug: "slug", isActive: "active" };

/** Names a list that is read often: newest first, or unfiltered in any order. */
export function nameOfList(filter: ProductSearch["filter"], order: string): string | undefined {
  const conditions = nameOfConditions(filter);
  if (conditions === "") return `products ${order}`;
  return conditions && order === "CREATED_AT DESC" ? `products ${conditions}` : undefined;
}

/** Names the conditions of a filter whose totals are cached; undefined for other filters. */
function nameOfConditions(filter: ProductSearch["filter"]): string | undefined {
  const given = Object.entries(filter ?? {}).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => (FREQUENT as Record<string, string | undefined>)[name]);
  return names.includes(undefined) ? undefined : names.sort().join(" ");
}

/** The cached total of the list with this filter; undefined if it is counted each time. */
export function totalOf(
  version: CatalogueVersion | undefined,
  filter: ProductSearch["filter"],
): ListTotal | undefined {
  if (nameOfConditions(filter) === undefined) return undefined;
  const { categoryId, categorySlug, isActive } = filter ?? {};
  return version?.totalOf(JSON.stringify([categoryId, categorySlug, isActive]));
}
