import { createHash } from "node:crypto";
import type { Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import type { IdempotencyKeySettings } from "../../config/settings";
import { ConcurrentChange } from "../../database/statements/failures";
import { runSql } from "../../database/statements/sql";
import { idempotencyKeyReused } from "../../vocabulary/errors";
import type { IdempotencyKey } from "../../models";
import { refusalOf } from "../refusals";

/** An idempotency key and the fingerprint of the request that was sent with it. */
export interface KeyedRequest {
  readonly key: string;
  /** Equal requests have equal fingerprints. */
  readonly fingerprint: string;
}

/** A fingerprint of what a client asks for, as JSON. */
export const fingerprintOf = (asked: unknown): string =>
  createHash("sha256").update(JSON.stringify(asked)).digest("hex");

/** Stores which order was placed under which key, in the transaction of that order. */
export class IdempotencyKeys {
  constructor(
    private readonly sequelize: Sequelize,
    private readonly settings: IdempotencyKeySettings,
  ) {}

  /**
   * The id of the order that was placed under the key; undefined if there is none. Other claims of the key
   * wait until this transaction ends, so that they do no work that {@link remember} would reject.
   *
   * @throws DomainError IDEMPOTENCY_KEY_REUSED if the key was used for another request
   */
  async claim(
    { key, fingerprint }: KeyedRequest,
    transaction: Transaction,
  ): Promise<number | undefined> {
    await runSql(this.sequelize, sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`, {
      transaction,
    });
    const [used] = await runSql<Pick<IdempotencyKey, "fingerprint" | "orderId">>(
      this.sequelize,
      sql`SELECT fingerprint, order_id AS "orderId" FROM idempotency_keys
          WHERE key = ${key} AND created_at > ${this.expiry}`,
      { transaction },
    );
    if (used && used.fingerprint !== fingerprint) throw idempotencyKeyReused();
    return used?.orderId;
  }

  /**
   * Stores the order of a claimed key. A stored key that has not expired is never overwritten.
   *
   * @throws ConcurrentChange if another transaction has placed an order under the key since it was claimed
   */
  async remember(
    { key, fingerprint }: KeyedRequest,
    orderId: number,
    transaction: Transaction,
  ): Promise<void> {
    const [stored] = await runSql(
      this.sequelize,
      sql`INSERT INTO idempotency_keys AS stored (key, fingerprint, order_id, created_at)
          VALUES (${key}, ${fingerprint}, ${orderId}, now())
          ON CONFLICT (key) DO UPDATE
            SET fingerprint = excluded.fingerprint,
                order_id = excluded.order_id,
                created_at = excluded.created_at
            WHERE stored.created_at <= ${this.expiry}
          RETURNING key`,
      { transaction },
    );
    if (!stored) throw new ConcurrentChange("Another order was placed under the same key");
  }

  /**
   * The common table expression `new_order` of the statement that places an order (`PlaceAtOnce`). It takes the
   * next number for the order, stores it with the key, and returns it. It first waits for other claims of the key.
   *
   * It stores nothing, returns no row and takes no number if the order is refused (`accepted` is empty), or if the
   * key is stored already, even one that has expired.
   */
  withNewOrder({ key, fingerprint }: KeyedRequest): Sql {
    return sql`new_order AS (
      INSERT INTO idempotency_keys (key, fingerprint, order_id, created_at)
      SELECT ${key}, ${fingerprint}, nextval('orders_id_seq'), now() FROM accepted
      WHERE NOT key_is_used(${key})
      ON CONFLICT (key) DO NOTHING
      RETURNING order_id AS id
    )`;
  }

  /** Keys that were stored before this have expired. It is the database's clock, as the clocks of replicas differ. */
  private get expiry(): Sql {
    return sql`now() - make_interval(secs => ${this.settings.ttl})`;
  }
}

const noop = (): void => undefined;

function throwUnavailable(fault: unknown): void {
  const refusal = refusalOf(fault);
  if (refusal?.code === "UNAVAILABLE") throw refusal;
}

/**
 * Runs the tasks of each idempotency key in this process one after another. The lock of `IdempotencyKeys.claim`
 * alone would do that, too, but each waiting task would then hold a database connection.
 */
export class KeyTurns {
  /** The end of the last queued task of each key; it rejects if the task found the database unavailable. */
  private readonly ends = new Map<string, Promise<void>>();

  /** Whether no task runs or waits. Keys then take no memory. */
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
    const turn = before.then(task);
    const end = turn.then(noop, throwUnavailable);
    end.catch(noop);
    this.ends.set(key, end);
    try {
      return await turn;
    } finally {
      if (this.ends.get(key) === end) this.ends.delete(key);
    }
  }
}
