import sql, { type Sql } from "sql-template-tag";
import type { CountedList } from "../../lists/counts/counted-lists";
import { MAX_IDS, type ProductFilter } from "./inputs/product-filter";
import { costOfFinding, LIST_COSTS } from "../../lists/lists";
import { ProductSortField, SortDirection, type ProductSort } from "./inputs/product-sort";

export interface ProductSearch {
  readonly filter?: ProductFilter | null | undefined;
  readonly sort?: Partial<ProductSort> | null | undefined;
  /** Whether the list is limited to one category, in addition to the filter. */
  readonly inCategory?: boolean;
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

/**
 * The list with stored counts: newest first, all products or those of a category, of an activity, or of both.
 * Undefined if the database has no counts of the list.
 */
export function countedProducts({ filter, sort }: ProductSearch): CountedList | undefined {
  const { categoryId, categorySlug, isActive, ...others } = filter ?? {};
  const isOther = Object.values<unknown>(others).some((value) => value !== undefined);
  if (isOther || (categoryId !== undefined && categorySlug !== undefined)) return undefined;
  const { field = ProductSortField.CREATED_AT, direction = SortDirection.DESC } = sort ?? {};
  if (field !== ProductSortField.CREATED_AT || direction !== SortDirection.DESC) return undefined;
  const active = isActive === undefined ? [] : [`is_active=${isActive}`];
  const name = `products${active.length > 0 ? " by activity" : ""}`;
  if (categorySlug === undefined) {
    if (categoryId === undefined) return { list: sql`${active.join("")}`, name };
    const both = [`category_id=${categoryId}`, ...active].join("&");
    return { list: sql`${both}`, name: `${name} of a category` };
  }
  const category = sql`SELECT id FROM categories WHERE slug = ${categorySlug}`;
  const rest = active.map((each) => `&${each}`).join("");
  return { list: sql`'category_id=' || (${category}) || ${rest}`, name: `${name} of a slug` };
}

/**
 * The list with a stored total of each of several categories: all products, or those of an activity. The id of
 * the category is `list_key`. Undefined if the database has no counts of these lists.
 */
export function countedProductsOfCategories({ filter }: ProductSearch): CountedList | undefined {
  const { isActive, ...others } = filter ?? {};
  if (Object.values<unknown>(others).some((value) => value !== undefined)) return undefined;
  const rest = isActive === undefined ? "" : `&is_active=${isActive}`;
  return { list: sql`'category_id=' || list_key || ${rest}`, name: "products of categories" };
}
