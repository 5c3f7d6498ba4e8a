import sql, { type Sql } from "sql-template-tag";
import type { ReadPool } from "../../reads/read-pool";
import { runSql } from "../../database/statements/sql";
import {
  costOfSkipping,
  costOfTotal,
  LIST_COSTS,
  type ListOptions,
  type Lists,
} from "../../lists/lists";
import { pageOf, partOf, type Page, type PageRequest } from "../../lists/pagination";
import { isLike } from "../orders/order-query";
import type { CustomerFilter } from "./inputs";

/** A customer who has ordered, identified by an address whose letter case is ignored. */
export interface Customer {
  /** As in the last order. */
  readonly email: string;
  readonly orders: number;
  /** Decimal text with 2 places, of the orders that are not cancelled. */
  readonly amount: string;
  readonly firstOrderAt: Date;
  readonly lastOrderAt: Date;
}

interface CustomerQuery extends ListOptions {
  readonly filter?: CustomerFilter | null | undefined;
}

/** Everybody who has ordered. An erased customer's orders are those of the tombstone. */
export class CustomerList {
  constructor(
    private readonly reads: ReadPool,
    private readonly lists: Lists,
  ) {}

  /** A page of customers, by address. */
  async page(request: PageRequest, query: CustomerQuery = {}): Promise<Page<Customer>> {
    const { filter, counted = true, signal } = query;
    const { limit, offset } = partOf(request);
    const condition =
      filter?.search === undefined ? sql`true` : isLike(sql`address`, filter.search);
    const cost = costOfCustomers(query) + costOfTotal(counted) + costOfSkipping(offset);
    const rows = await this.lists.queued({ cost, signal }, () =>
      runSql<Customer & { readonly total: number }>(
        this.reads.current,
        pageStatement(condition, { counted, limit, offset: offset.toString() }),
        { signal },
      ),
    );
    const total = rows[0]?.total ?? 0;
    const customers = rows.filter(({ email }) => (email as string | null) !== null);
    return pageOf(request, { rows: customers.map(({ total: _, ...each }) => each), total });
  }
}

/** The cost of finding customers, in the unit of {@link LIST_COSTS}. */
export const costOfCustomers = ({ filter }: Pick<CustomerQuery, "filter">): number =>
  (filter?.search ?? undefined) === undefined ? 0 : LIST_COSTS.search;

/** An address whose last order was deleted by SQL stays in `customer_addresses`, and so in the total. */
const pageStatement = (
  condition: Sql,
  { counted, limit, offset }: { counted: boolean; limit: number; offset: string },
): Sql => sql`
  WITH customers AS NOT MATERIALIZED (
    SELECT DISTINCT address FROM customer_addresses WHERE ${condition}
  ), page AS MATERIALIZED (
    SELECT address FROM customers ORDER BY address LIMIT ${limit} OFFSET ${offset}
  )
  SELECT counts.total, listed.* FROM (
    SELECT ${counted ? sql`(SELECT count(*)::integer FROM customers)` : sql`0`} AS total
  ) AS counts LEFT JOIN LATERAL (
    SELECT address, (array_agg(customer_email ORDER BY created_at DESC, id DESC))[1] AS email,
      count(*)::integer AS orders,
      coalesce(sum(total_amount) FILTER (WHERE status <> 'CANCELLED'), 0.00) AS amount,
      min(created_at) AS "firstOrderAt", max(created_at) AS "lastOrderAt"
    FROM page JOIN orders ON lower(customer_email) = address GROUP BY address
  ) AS listed ON true ORDER BY address`;
