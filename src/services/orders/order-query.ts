import sql, { join, type Sql } from "sql-template-tag";
import { hasAddress } from "../../database/statements/has-address";
import { foldCase } from "../../vocabulary/text/email-address";
import { costOfFinding, LIST_COSTS, type ListOptions } from "../../lists/lists";
import type { ListQuery } from "../../lists/list-query";
import type { OrderFilter } from "./inputs";
import type { OrderRecord } from "./order-records";

/** Which orders a list shows; a filter of `null` counts as left out. */
export interface OrderQuery extends ListOptions {
  readonly filter?: OrderFilter | null | undefined;
}

/** The conditions of a list of orders. */
type OrderConditions = Pick<ListQuery<OrderRecord>, "where" | "search" | "indexed">;

/** The conditions of a filter, all of which hold. */
export function orderConditions(filter: OrderQuery["filter"]): OrderConditions {
  const {
    status,
    statuses,
    ids,
    productId,
    customerEmail,
    customerSearch,
    placedFrom,
    placedBefore,
  } = filter ?? {};
  const where = [
    status !== undefined && sql`status = ${status}`,
    statuses !== undefined && sql`status = ANY(${statuses}::order_status[])`,
    ids !== undefined && sql`id = ANY(${ids})`,
    productId !== undefined &&
      sql`id IN (SELECT order_id FROM order_items WHERE product_id = ${productId}::bigint)`,
    customerEmail !== undefined && hasAddress("customer_email", customerEmail),
    placedFrom !== undefined && sql`created_at >= ${placedFrom}`,
    placedBefore !== undefined && sql`created_at < ${placedBefore}`,
  ].filter((condition) => condition !== false);
  if (customerSearch === undefined) return { where };
  return {
    where,
    search: [isLike(sql`lower(customer_email)`, customerSearch)],
    indexed: [
      sql`lower(customer_email) IN (
        SELECT address FROM customer_addresses WHERE ${isLike(sql`address`, customerSearch)})`,
    ],
  };
}

/** The condition that an address in lower case contains a text. */
export const isLike = (address: Sql, text: string): Sql =>
  sql`(${join(
    patternsOf(text).map((pattern) => sql`${address} LIKE ${pattern}`),
    " OR ",
  )})`;

/** The patterns of addresses that contain a text, as it is, composed or decomposed. */
const patternsOf = (text: string): readonly string[] => [
  ...new Set(
    [text, text.normalize("NFC"), text.normalize("NFD")].map(
      (each) => `%${foldCase(each).replace(/[\\%_]/g, "\\$&")}%`,
    ),
  ),
];

/** The cost of finding orders, in the unit of {@link LIST_COSTS}; `null` counts as left out. */
export function findingCost({ filter }: Pick<OrderQuery, "filter">): number {
  const { customerSearch, productId, ids, statuses } = filter ?? {};
  const isGiven = (value: unknown): boolean => (value ?? undefined) !== undefined;
  if (isGiven(ids)) return costOfFinding(ids?.length ?? 0);
  if (isGiven(customerSearch) || isGiven(productId)) return LIST_COSTS.search;
  return isGiven(statuses) ? LIST_COSTS.scan : 0;
}

/** Filters of lists that are read often, whose statements have names. */
const NAMES: Readonly<Record<string, string>> = { "": "orders", status: "orders of a status" };

/** The rows of totals that the database stores (migration 003), by status alone; undefined for other filters. */
export function storedTotals(filter: OrderQuery["filter"]): Sql | undefined {
  const { status, statuses, ...others } = filter ?? {};
  if (Object.values<unknown>(others).some((value) => value !== undefined)) return undefined;
  const { where } = orderConditions({ ...(status && { status }), ...(statuses && { statuses }) });
  return sql`FROM order_totals() WHERE ${join([sql`true`, ...where], " AND ")}`;
}

/** The stored total of a list, and a name for its statement. */
export function storedTotal(
  filter: OrderQuery["filter"],
): Pick<ListQuery<never>, "name" | "total"> {
  const totals = storedTotals(filter);
  if (!totals) return {};
  const sum = sql`(SELECT coalesce(sum(orders), 0)::text ${totals})`;
  const given = Object.entries(filter ?? {}).filter(([, value]) => value !== undefined);
  return { name: NAMES[given.map(([name]) => name).join()], total: { expression: () => sum } };
}
