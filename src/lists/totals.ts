import { LRUCache } from "lru-cache";
import sql, { type Sql } from "sql-template-tag";

/** How a list's total is known without counting its rows each time. */
export interface ListTotal {
  /**
   * An expression with the total in the snapshot of its statement: a text that begins with the number. `count` is the
   * expression that counts the rows.
   */
  expression(count: Sql): Sql;
  /** Takes the value of the expression. */
  learn?(value: string): void;
  /** Reads the list; other reads that would count the same rows wait until this one has. */
  once?<T>(read: () => Promise<T>): Promise<T>;
}

/** The most totals in a cache. */
const MOST = 1_000;

/**
 * Caches the totals of lists, each by a name. A statement that reads a list also reads the version of what is listed.
 * If that is the version of the cached total, the total is exact in the statement's snapshot; otherwise the statement
 * counts. So each list is counted once for each version.
 */
export class TotalsByVersion {
  private version = "";
  private readonly totals = new LRUCache<string, number>({ max: MOST });
  private readonly counting = new Map<string, Promise<unknown>>();

  /** @param current a SELECT with the column `version` and at most one row */
  constructor(private readonly current: Sql) {}

  /** Drops what is cached of other versions. */
  turnTo(version: string): void {
    if (version !== this.version) this.totals.clear();
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
        this.turnTo(version);
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
