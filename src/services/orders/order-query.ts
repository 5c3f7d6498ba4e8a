import sql, { join, type Sql } from "sql-template-tag";
import { hasAddress } from "../../database/statements/has-address";
import type { CountedList } from "../../lists/counts/counted-lists";
import { foldCase } from "../../vocabulary/text/email-address";
import { LIST_COSTS, type ListOptions } from "../../lists/lists";
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
  const { status, customerEmail, customerSearch, placedFrom, placedBefore } = filter ?? {};
  const where = [
    status !== undefined && sql`status = ${status}`,
    customerEmail !== undefined && hasAddress("customer_email", customerEmail),
    placedFrom !== undefined && sql`created_at >= ${placedFrom}`,
    placedBefore !== undefined && sql`created_at < ${placedBefore}`,
  ].filter((condition) => condition !== false);
  if (customerSearch === undefined) return { where };
  const isLike = (address: Sql): Sql =>
    sql`(${join(
      patternsOf(customerSearch).map((pattern) => sql`${address} LIKE ${pattern}`),
      " OR ",
    )})`;
  return {
    where,
    search: [isLike(sql`lower(customer_email)`)],
    indexed: [
      sql`lower(customer_email) IN (SELECT address FROM customer_addresses WHERE ${isLike(sql`address`)})`,
    ],
  };
}

/** The patterns of addresses that contain a text, as it is, composed or decomposed. */
const patternsOf = (text: string): readonly string[] => [
  ...new Set(
    [text, text.normalize("NFC"), text.normalize("NFD")].map(
      (each) => `%${foldCase(each).replace(/[\\%_]/g, "\\$&")}%`,
    ),
  ),
];

/** The cost of finding orders, in the unit of {@link LIST_COSTS}; `null` counts as left out. */
export const findingCost = ({ filter }: Pick<OrderQuery, "filter">): number =>
  (filter?.customerSearch ?? undefined) === undefined ? 0 : LIST_COSTS.search;

/** The list with stored counts: all orders, or those of a status; undefined if the database has none. */
export function countedOrders(filter: OrderQuery["filter"]): CountedList | undefined {
  const { status, ...others } = filter ?? {};
  if (Object.values<unknown>(others).some((value) => value !== undefined)) return undefined;
  if (status === undefined) return { list: sql`${""}`, name: "orders" };
  return { list: sql`${`status=${status}`}`, name: "orders of a status" };
}
