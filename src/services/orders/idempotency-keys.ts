import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import type { IdempotencyKeySettings } from "../../config/settings";
import { runSql } from "../../database/statements/sql";
import { refusalOf } from "../refusals";

/** What is stored under a key. One that has expired is free for another order. */
interface UsedKey {
  readonly fingerprint: string;
  readonly orderId: number;
  readonly hasExpired: boolean;
}

/** The stored keys. Handwritten, because they expire by the database's clock: those of the processes differ. */
export class IdempotencyKeys {
  constructor(
    private readonly sequelize: Sequelize,
    private readonly settings: IdempotencyKeySettings,
  ) {}

  /** What is stored under a key; undefined for a key that is free. */
  async find(key: string): Promise<UsedKey | undefined> {
    const [used] = await runSql<UsedKey>(
      this.sequelize,
      sql`SELECT fingerprint, order_id AS "orderId", ${this.hasExpired} AS "hasExpired"
          FROM idempotency_keys WHERE key = ${key}`,
    );
    return used;
  }

  /** Deletes an expired key. Its order stays. */
  async forget(key: string): Promise<void> {
    await runSql(
      this.sequelize,
      sql`DELETE FROM idempotency_keys WHERE key = ${key} AND ${this.hasExpired}`,
    );
  }

  private get hasExpired(): Sql {
    return sql`created_at <= now() - make_interval(secs => ${this.settings.ttl})`;
  }
}

const noop = (): void => undefined;

function throwUnavailable(error: unknown): void {
  const refusal = refusalOf(error);
  if (refusal?.code === "UNAVAILABLE") throw refusal;
}

/**
 * Runs the tasks of each key in this process one after another. The database would do that, too, but each waiting
 * task would then hold a connection.
 */
export class KeyedMutex {
  /** The end of the last queued task of each key; it rejects if the task found the database unavailable. */
  private readonly ends = new Map<string, Promise<void>>();

  /** Whether no task runs or waits. */
  get isIdle(): boolean {
    return this.ends.size === 0;
  }

  /**
   * Runs a task after the earlier tasks of its key have ended.
   *
   * @throws DomainError UNAVAILABLE if an earlier task found the database unavailable, so that waiting
   *   tasks don't time out one by one; any error of `task`
   */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.ends.get(key) ?? Promise.resolve();
    const result = before.then(task);
    const end = result.then(noop, throwUnavailable);
    end.catch(noop);
    this.ends.set(key, end);
    try {
      return await result;
    } finally {
      if (this.ends.get(key) === end) this.ends.delete(key);
    }
  }
}
