import { LRUCache } from "lru-cache";
import sql, { join } from "sql-template-tag";
import { besidePool } from "../../database/connection/beside-pool";
import type { ReadPool } from "../../reads/read-pool";
import { inSnapshot, type Snapshot } from "../../database/statements/snapshot";
import { runSql } from "../../database/statements/sql";
import { LIST_COSTS, type Lists } from "../../lists/lists";
import { BoundedQueue } from "../../vocabulary/bounded-queue";
import { dayAfter, dayStarts, daysBetween } from "../../vocabulary/time-zones";
import type { SalesPeriod, SellingPeriod } from "./inputs";
import { findingCost, orderConditions, storedTotals, type OrderQuery } from "./order-query";

/** The orders of a day. */
export interface SalesDay {
  /** Such as `2026-01-31`. */
  readonly date: string;
  readonly orders: number;
  readonly paid: number;
  readonly cancelled: number;
  /** Decimal text with 2 places; the total of the orders that are not cancelled, as everywhere here. */
  readonly amount: string;
}

export interface OrderTotals {
  readonly orders: number;
  readonly amount: string;
}

export interface BestSeller {
  readonly productId: number;
  /** As it was called in the newest of the orders. */
  readonly productName: string;
  readonly quantity: number;
  readonly amount: string;
}

export interface BestSellers {
  /** The moment at which the orders were read. */
  readonly asOf: Date;
  readonly data: readonly BestSeller[];
}

/** The least and the greatest id of some orders; null of none. */
type Bounds = Readonly<Record<"least" | "greatest", number | null>>;

/** Milliseconds after which best sellers are read again. */
const MAX_AGE = 60_000;

/** Milliseconds for reading best sellers: of 5,000,000 orders that takes longer than any other read may. */
const PATIENCE = 30_000;

/** The most periods of which best sellers are cached. */
const MAX_CACHED = 100;

const NOT_CANCELLED = sql`FILTER (WHERE status <> 'CANCELLED')`;
const amount = sql`coalesce(sum(total_amount) ${NOT_CANCELLED}, 0.00) AS amount`;

/** What was sold, for administrators. */
export class Sales {
  /** Reads of best sellers, of which one runs at a time. */
  private readonly reports = new BoundedQueue({ concurrency: 1, waiting: 10, patience: PATIENCE });
  private readonly cache = new LRUCache<
    string,
    BestSellers,
    { readonly period: SellingPeriod; readonly first: number }
  >({
    max: MAX_CACHED,
    fetchMethod: async (_key, _stale, { options, context: { period, first } }) => {
      const asOf = new Date();
      const data = await this.reports.run(() => this.readBestSellers(period, first));
      options.ttl = Math.max(1, asOf.getTime() + MAX_AGE - Date.now());
      return { asOf, data };
    },
  });

  constructor(
    private readonly reads: ReadPool,
    private readonly lists: Lists,
  ) {}

  /** The orders of each day of a period; a day without any has zeros. */
  async byDay({ from, to, timeZone }: SalesPeriod, signal?: AbortSignal): Promise<SalesDay[]> {
    const days = daysBetween(from, to);
    const startOf = dayStarts(timeZone);
    const starts = [...days, dayAfter(to)].map((day) => startOf(day) / 1000);
    const rows = await this.lists.queued({ cost: LIST_COSTS.search, signal }, () =>
      runSql<Omit<SalesDay, "date">>(
        this.reads.current,
        sql`SELECT placed.*
            FROM unnest(${starts.slice(0, -1)}::float8[], ${starts.slice(1)}::float8[])
              WITH ORDINALITY AS days (began, ended, place)
            CROSS JOIN LATERAL (
              SELECT count(*)::integer AS orders,
                (count(*) FILTER (WHERE status = 'PAID'))::integer AS paid,
                (count(*) FILTER (WHERE status = 'CANCELLED'))::integer AS cancelled, ${amount}
              FROM orders WHERE created_at >= to_timestamp(began) AND created_at < to_timestamp(ended)
            ) AS placed ORDER BY place`,
        { name: "sales by day", signal },
      ),
    );
    return rows.map((row, index) => ({ date: days[index] ?? "", ...row }));
  }

  /** The number of orders that meet all conditions, and what they amount to. */
  async totals({ filter, signal }: OrderQuery): Promise<OrderTotals> {
    const stored = storedTotals(filter);
    const { where, indexed = [] } = orderConditions(filter);
    const conditions = join([sql`true`, ...where, ...indexed], " AND ");
    const statement = stored
      ? sql`SELECT coalesce(sum(orders), 0)::integer AS orders,
              coalesce(sum(amount) ${NOT_CANCELLED}, 0.00) AS amount ${stored}`
      : sql`SELECT count(*)::integer AS orders, ${amount} FROM orders WHERE ${conditions}`;
    const cost = stored ? 0 : LIST_COSTS.total + findingCost({ filter });
    const [totals] = await this.lists.queued({ cost, signal }, () =>
      runSql<OrderTotals>(this.reads.current, statement, { signal }),
    );
    if (!totals) throw new Error("A SELECT of sums returns them");
    return totals;
  }

  /** The products that were sold for most, 60 seconds old at most. */
  bestSellers(period: SellingPeriod, first: number): Promise<BestSellers> {
    const key = JSON.stringify([period.from, period.before, first]);
    return this.cache.forceFetch(key, { context: { period, first } });
  }

  /**
   * Reads on a connection of its own, as the role's `statement_timeout` is shorter. Orders and their items are stored in
   * the order of their ids, so bounds of ids spare most items; they are read first, as the planner has to know them.
   */
  private readBestSellers({ from, before }: SellingPeriod, first: number): Promise<BestSeller[]> {
    const isPlaced = sql`created_at >= ${from} AND created_at < ${before} AND status <> 'CANCELLED'`;
    // Without OFFSET, PostgreSQL walks the ids of all orders to find the least.
    const bounds = sql`
      SELECT min(id) AS least, max(id) AS greatest
      FROM (SELECT id FROM orders WHERE ${isPlaced} OFFSET 0) AS placed`;
    const sold = ({ least, greatest }: Bounds) => sql`
      WITH sold AS (
        SELECT product_id, sum(quantity) AS quantity, sum(unit_price * quantity) AS amount, max(order_items.id) AS newest
        FROM orders JOIN order_items ON order_id = orders.id
        WHERE ${isPlaced} AND order_id >= ${least} AND order_id <= ${greatest}
        GROUP BY product_id ORDER BY amount DESC, product_id LIMIT ${first}
      )
      SELECT sold.product_id AS "productId", product_name AS "productName",
        least(sold.quantity, 2147483647)::integer AS quantity, sold.amount
      FROM sold JOIN order_items ON order_items.id = newest
      ORDER BY sold.amount DESC, sold.product_id`;
    const read = async (snapshot: Snapshot): Promise<BestSeller[]> => {
      const [found] = await snapshot.rows<Bounds>(bounds);
      return !found?.least ? [] : snapshot.rows<BestSeller>(sold(found));
    };
    const settings = `SET LOCAL statement_timeout = ${PATIENCE}`;
    return besidePool(
      this.reads.current,
      AbortSignal.timeout(PATIENCE),
      (client) => inSnapshot(client, read, settings),
      { patience: PATIENCE },
    );
  }
}
