import type { DatabaseSettings } from "../config/settings";
import { readList, readLists, type ListPart, type ListQuery, type ListTotal } from "./list-query";
import { LRUCache } from "lru-cache";
import sql, { type Sql } from "sql-template-tag";
import { BoundedQueue } from "../vocabulary/bounded-queue";

/**
 * The work that a list causes in the database in addition to the rows that it returns. The unit is the work
 * of reading one row by its id. A query's `findingCost` says which of them apply, graphql/limits/measure.ts adds
 * them to the costs of the rows, and docs/graphql.md explains them.
 */
export const LIST_COSTS = {
  /** Counts all matching rows. */
  total: 20,
  /** Sorts and filters in a combination that no index supports. */
  scan: 30,
  /** Searches for words of products, or for a part of an address. */
  search: 100,
} as const;

/** Skipping this many rows costs as much as reading one. */
const SKIPPED_PER_ROW = 100n;
const MAX_SKIP_COST = 100n;

/** Finding this many rows by their ids costs as much as reading one. */
const FOUND_PER_ROW = 10;

/** The cost of finding rows by ids that the client names, which may be more than the page shows. */
export const costOfFinding = (ids: number): number => Math.ceil(ids / FOUND_PER_ROW);

/** The lowest cost of a costly list. */
const COSTLY = 20;

/** The cost of skipping the rows before a page. */
export function costOfSkipping(rows: bigint): number {
  const cost = rows / SKIPPED_PER_ROW;
  return Number(cost < MAX_SKIP_COST ? cost : MAX_SKIP_COST);
}

/**
 * The cost of counting all rows if the client asked for it. REST leaves `counted` out: its pages always
 * have the total (contract 2.meta), so counting is not the client's choice and has no cost.
 */
export const costOfTotal = (counted: boolean | undefined): number =>
  counted === true ? LIST_COSTS.total : 0;

/** Whether only a few lists of this cost may be read at a time. */
const isCostly = (cost: number): boolean => cost >= COSTLY;

/** How a list is read. */
export interface ListOptions {
  /** Whether all matching rows are counted. Counted if left out, as at REST; if false, the total is 0. */
  readonly counted?: boolean;
  /** Ends the read when its client is gone. */
  readonly signal?: AbortSignal | undefined;
}

/** The share of the connection pool that costly lists may use at the same time. */
const COSTLY_SHARE = 1 / 4;

/**
 * Reads lists. Costly lists have their own queue and use at most a quarter of the connections, so that
 * other statements always find one. Of pages that skip many rows, one is read at a time. The queues have the length
 * and the timeout of the queue for a connection.
 */
export class Lists {
  private readonly costly: BoundedQueue;
  private readonly deep: BoundedQueue;

  constructor({ poolSize, queueLimit, acquireTimeout }: DatabaseSettings) {
    const limits = { waiting: queueLimit, patience: acquireTimeout };
    const concurrency = Math.max(1, Math.floor(poolSize * COSTLY_SHARE));
    this.costly = new BoundedQueue({ ...limits, concurrency });
    this.deep = new BoundedQueue({ ...limits, concurrency: 1 });
  }

  /**
   * Reads part of a list and the number of all its rows. `cost` is the cost of finding them, in
   * the unit of {@link LIST_COSTS}.
   *
   * @throws DomainError UNAVAILABLE if the list is costly and the queue is full, or the wait too long; or if
   *   the query's signal was aborted before the list was read
   */
  read<Row extends { id: number }>(query: ListQuery<Row>, cost = 0): Promise<ListPart<Row>> {
    const read = () => this.queuedAsPage(query, cost, () => readList(query));
    return query.counted && query.total?.once ? query.total.once(read) : read();
  }

  /** Like {@link read}, for one list per key: the rows that have the key in `column`. */
  readEach<Row extends { id: number }>(
    query: ListQuery<Row>,
    lists: { column: Sql; keys: readonly number[] },
    cost = 0,
  ): Promise<Map<number, ListPart<Row>>> {
    return this.queuedAsPage(query, cost, () => readLists(query, lists));
  }

  /** Runs a read of this cost in the queue for costly ones, or at once if it is not costly. */
  queued<T>(
    { cost, signal }: { readonly cost: number } & Pick<ListOptions, "signal">,
    read: () => Promise<T>,
  ): Promise<T> {
    return isCostly(cost) ? this.costly.run(read, signal) : read();
  }

  private queuedAsPage<T>(
    { offset, signal }: Pick<ListQuery<never>, "offset" | "signal">,
    findingCost: number,
    read: () => Promise<T>,
  ): Promise<T> {
    const skipping = costOfSkipping(offset);
    const queued = () => this.queued({ cost: findingCost + skipping, signal }, read);
    return isCostly(skipping) ? this.deep.run(queued, signal) : queued();
  }
}

/** The most totals in a cache. */
const MOST_TOTALS = 1_000;

/**
 * Caches the totals of lists, each by a name. A statement that reads a list also reads the version of what is listed.
 * If that is the version of the cached total, the total is exact in the statement's snapshot; otherwise the statement
 * counts. So each list is counted once for each version.
 */
export class TotalsByVersion {
  /** The version of all cached totals. */
  version = "";
  private readonly totals = new LRUCache<string, number>({ max: MOST_TOTALS });
  private readonly counting = new Map<string, Promise<unknown>>();

  /** @param current a SELECT with the column `version` and at most one row */
  constructor(private readonly current: Sql) {}

  /** Drops the totals of the present version for those of another. */
  startVersion(version: string): void {
    this.totals.clear();
    this.version = version;
  }

  /** The total of the list with this name. */
  of(name: string): ListTotal {
    return {
      expression: (count) => sql`(
        SELECT concat(
          coalesce(CASE version WHEN ${this.version} THEN ${this.totals.get(name) ?? null}::integer END, ${count}),
          ' ', version)
        FROM (SELECT) AS one LEFT JOIN (${this.current}) AS current ON true)`,
      once: (read) => this.once(name, read),
      learn: (value) => {
        const end = value.indexOf(" ");
        const version = value.slice(end + 1);
        if (version === "") return; // nothing is known without one
        if (version !== this.version) this.startVersion(version);
        this.totals.set(name, Number(value.slice(0, end)));
      },
    };
  }

  private async once<T>(name: string, read: () => Promise<T>): Promise<T> {
    const counting = this.counting.get(name);
    if (counting) await counting;
    if (counting || this.totals.has(name)) return read();
    const reading = read();
    const ended = reading.catch(() => undefined).finally(() => this.counting.delete(name));
    this.counting.set(name, ended);
    return reading;
  }
}
