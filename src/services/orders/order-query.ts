import sql, { type Sql } from "sql-template-tag";
import { foldCase } from "../../text/email-address";
import type { ListReading } from "../lists/lists";
import type { OrderFilter } from "./inputs/order-filter";

/** Which orders a list shows; a filter of `null` counts as left out. */
export interface OrderQuery extends ListReading {
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
