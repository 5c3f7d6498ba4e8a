import { setTimeout as sleep } from "node:timers/promises";
import sql, { raw, type Sql } from "sql-template-tag";

/** Rows in one statement, so that none takes long. */
export const BATCH = 1_000;

/** Milliseconds before the first round, between two rounds, and after a round that failed. */
export const PAUSES = { first: 0, usual: 3_600_000, afterFailure: 60_000 };

/** Milliseconds that closing waits for a statement that is under way. */
const CLOSE_TIMEOUT = 1_000;

/** The seconds of a day of 24 hours. */
export const DAY = 86_400;

/** What is deleted when it is old: the table, its primary key, and the column that says how old a row is. */
const aged = {
  audit_entries: ["id", "at"],
  events: ["id", "at"],
  webhook_deliveries: ["id", "ended_at"],
  idempotency_keys: ["key", "created_at"],
} as const;

/**
 * Deletes the oldest rows of a table that are older than so many seconds, a batch at most; returns their primary keys.
 * Rows that meet the condition `exempt` stay.
 */
export function deletionOfOld(
  table: keyof typeof aged,
  seconds: number,
  exempt: Sql = sql`false`,
): Sql {
  const [id, since] = aged[table].map((name) => raw(name)) as [Sql, Sql];
  // By ctid: a join by id compares all rows with these when the planner believes that the table is empty.
  return sql`
    DELETE FROM ${raw(table)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${raw(table)}
      WHERE ${since} < now() - make_interval(secs => ${seconds}) AND NOT ${exempt}
      ORDER BY ${since}, ${id} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
    RETURNING ${id}`;
}

/** What a retention reports. */
interface RetentionReports {
  /** A round has deleted so many rows, one at least. */
  readonly deleted: (rows: number) => void;
  /** A round has failed. The next one comes in a minute. */
  readonly failed: (error: unknown) => void;
}

/**
 * Deletes what is kept for a limited time: soon after the start, and then every hour. If several processes delete
 * at the same time, each takes other rows.
 */
export class Retention {
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<void> | undefined;
  private closed = false;

  constructor(
    /** Runs a {@link deletionOfOld}, and returns how many rows it has deleted. */
    private readonly deleteBatch: () => Promise<number>,
    private readonly reports: RetentionReports,
    private readonly pauses = PAUSES,
  ) {
    this.plan(pauses.first);
  }

  /** Begins no more statements. Resolves in bounded time; after that, only the database may still be at work. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await Promise.race([this.work, sleep(CLOSE_TIMEOUT, undefined, { ref: false })]);
  }

  private plan(wait: number): void {
    this.timer = setTimeout(() => {
      this.work = this.round();
    }, wait);
    this.timer.unref();
  }

  private async round(): Promise<void> {
    let pause = this.pauses.usual;
    let deleted = 0;
    try {
      for (let batch = BATCH; batch >= BATCH && !this.closed; deleted += batch) {
        batch = await this.deleteBatch();
      }
    } catch (error) {
      pause = this.pauses.afterFailure;
      if (!this.closed) this.reports.failed(error);
    }
    if (deleted > 0) this.reports.deleted(deleted);
    if (!this.closed) this.plan(pause);
  }
}
