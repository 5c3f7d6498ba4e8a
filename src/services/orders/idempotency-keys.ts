import { createHash } from "node:crypto";
import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import type { IdempotencyKeySettings } from "../../config/settings";
import { runSql } from "../../database/statements/sql";
import { refusalOf } from "../refusals";

/** An idempotency key and the fingerprint of the request that was sent with it; equal requests have equal ones. */
export interface KeyedRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** A fingerprint of what a client asks for, as JSON. */
export const fingerprintOf = (asked: unknown): string =>
  createHash("sha256").update(JSON.stringify(asked)).digest("hex");

/**
 * The common table expression `new_order` of the statement that places an order. It takes the next number for the
 * order, stores it with the key, and returns it. Of several orders under one key, in whichever processes, the unique
 * index lets one in; the others wait for its end.
 *
 * It stores nothing, returns no row and takes no number if the order is refused (`accepted` is empty), or if the
 * key is stored already, even one that has expired.
 */
export const newOrderUnder = ({ key, fingerprint }: KeyedRequest): Sql =>
  sql`new_order AS (
    INSERT INTO idempotency_keys (key, fingerprint, order_id, created_at)
    SELECT ${key}, ${fingerprint}, nextval('orders_id_seq'), now() FROM accepted
    WHERE NOT key_is_used(${key})
    ON CONFLICT (key) DO NOTHING
    RETURNING order_id AS id
  )`;

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
