import sql, { type Sql } from "sql-template-tag";
import type { CountedList } from "../../lists/counts/counted-lists";
import { foldCase } from "../../vocabulary/text/email-address";
import type { ListOptions } from "../../lists/lists";
import type { OrderFilter } from "./inputs/order-filter";

/** Which orders a list shows; a filter of `null` counts as left out. */
export interface OrderQuery extends ListOptions {
  readonly filter?: OrderFilter | null | undefined;
}

/** The conditions of a filter, all of which hold. */
export function orderConditions(filter: OrderQuery["filter"]): Sql[] {
  const { status, customerEmail, placedFrom, placedBefore } = filter ?? {};
  return [
    status !== undefined && sql`status = ${status}`,
    customerEmail !== undefined && sql`lower(customer_email) = ${foldCase(customerEmail)}`,
    placedFrom !== undefined && sql`created_at >= ${placedFrom}`,
    placedBefore !== undefined && sql`created_at < ${placedBefore}`,
  ].filter((condition) => condition !== false);
}

/** The list as the database keeps it: all orders, or those of a status; undefined if it does not. */
export function countedOrders(filter: OrderQuery["filter"]): CountedList | undefined {
  const { status, ...others } = filter ?? {};
  if (Object.values<unknown>(others).some((value) => value !== undefined)) return undefined;
  if (status === undefined) return { list: sql`${""}`, name: "orders" };
  return { list: sql`${`status=${status}`}`, name: "orders of a status" };
}
