import { setTimeout as sleep } from "node:timers/promises";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../../database/statements/sql";

/** Entries in one statement, so that none takes long. */
const BATCH = 1_000;

/** Milliseconds between two rounds, and after a round that failed. */
const PAUSE = 3_600_000;
const PAUSE_AFTER_FAILURE = 60_000;

/** Milliseconds that closing waits for a statement that is under way. */
const CLOSE_TIMEOUT = 1_000;

/** What a retention tells. */
interface RetentionReports {
  /** A round has deleted so many entries, one at least. */
  readonly deleted: (entries: number) => void;
  /** A round has failed. The next one comes in a minute. */
  readonly failed: (error: unknown) => void;
}

/**
 * Deletes entries of the audit log that are older than a number of days of 24 hours: once soon after the start, and
 * then every hour. If several processes delete at the same time, each takes other entries.
 */
export class AuditRetention {
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly days: number,
    private readonly reports: RetentionReports,
    private readonly pauses = { usual: PAUSE, afterFailure: PAUSE_AFTER_FAILURE },
  ) {
    this.plan(0);
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
      for (let batch = BATCH; batch === BATCH && !this.closed; deleted += batch) {
        batch = await this.deleteBatch();
      }
    } catch (error) {
      pause = this.pauses.afterFailure;
      if (!this.closed) this.reports.failed(error);
    }
    if (deleted > 0) this.reports.deleted(deleted);
    if (!this.closed) this.plan(pause);
  }

  /** Deletes the oldest entries that are too old, and returns their number. */
  private deleteBatch(): Promise<number> {
    return this.sequelize.transaction(async (transaction) => {
      // A trigger looks at this before the statement begins (migration 028).
      await runSql(this.sequelize, sql`SELECT set_config('tea_shop.audit', 'retention', true)`, {
        transaction,
      });
      const deleted = await runSql(
        this.sequelize,
        sql`DELETE FROM audit_entries WHERE id IN (
              SELECT id FROM audit_entries WHERE at < now() - ${this.days} * interval '24 hours'
              ORDER BY at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
            RETURNING id`,
        { transaction },
      );
      return deleted.length;
    });
  }
}
