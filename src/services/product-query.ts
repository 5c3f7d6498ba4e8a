import sql, { raw, type Sql } from "sql-template-tag";
import type { ProductFilter } from "./inputs/product-filter";
import { ProductSortField, SortDirection, type ProductSort } from "./inputs/product-sort";

const sortedBy: Record<ProductSortField, Sql> = {
  [ProductSortField.CREATED_AT]: sql`created_at`,
  [ProductSortField.NAME]: sql`lower(name)`,
  [ProductSortField.PRICE]: sql`price`,
};

/** The order of a list of products; id breaks ties, in the same direction. */
export function productOrder({
  field = ProductSortField.CREATED_AT,
  direction = SortDirection.DESC,
}: Partial<ProductSort> = {}): Sql {
  return sql`${sortedBy[field]} ${raw(direction)}, id ${raw(direction)}`;
}

/** The conditions of a filter, all of which hold. */
export function productConditions(filter: ProductFilter = {}): Sql[] {
  const { categoryId, categorySlug, isActive, minPrice, maxPrice, search } = filter;
  return [
    categoryId !== undefined && sql`category_id = ${categoryId}`,
    categorySlug !== undefined &&
      sql`category_id = (SELECT id FROM categories WHERE slug = ${categorySlug})`,
    isActive !== undefined && sql`is_active = ${isActive}`,
    minPrice !== undefined && sql`price >= ${minPrice.toString()}::numeric`,
    maxPrice !== undefined && sql`price <= ${maxPrice.toString()}::numeric`,
    ...(search === undefined ? [] : searchConditions(search)),
  ].filter((condition) => condition !== false);
}

/** Each word occurs in the name or the description; without a letter or digit nothing is found. */
function searchConditions(search: string): Sql[] {
  if (!/[\p{L}\p{N}]/u.test(search)) return [sql`false`];
  const words = new Set(search.split(/\s+/u).filter((word) => word !== ""));
  return [...words].map((word) => sql`search_text LIKE containing(${word})`);
}
