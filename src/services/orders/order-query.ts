import sql, { join, type Sql } from "sql-template-tag";
import { hasAddress } from "../../database/statements/has-address";
import type { CountedList } from "../../lists/counts/counted-lists";
import { foldCase } from "../../vocabulary/text/email-address";
import { costOfFinding, LIST_COSTS, type ListOptions } from "../../lists/lists";
import type { ListQuery } from "../../lists/list-query";
import type { OrderFilter } from "./inputs/order-filter";
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

/** The list with stored counts: all orders, or those of a status; undefined if the database has none. */
export function countedOrders(filter: OrderQuery["filter"]): CountedList | undefined {
  const { status, ...others } = filter ?? {};
  if (Object.values<unknown>(others).some((value) => value !== undefined)) return undefined;
  if (status === undefined) return { list: sql`${""}`, name: "orders" };
  return { list: sql`${`status=${status}`}`, name: "orders of a status" };
}
