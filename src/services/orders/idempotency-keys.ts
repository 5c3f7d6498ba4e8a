import { createHash } from "node:crypto";
import { Op, type Transaction } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import type { IdempotencyKeySettings } from "../../config/settings";
import { Overtaken } from "../../database/failures";
import { runSql } from "../../database/sql";
import { idempotencyKeyReused } from "../../errors";
import { IdempotencyKey } from "../../models";
import { refusalOf } from "../refusals";

/**
 * Deletes the oldest of these keys; each new key has more than one deleted, so that they never pile up. The
 * limit is no parameter: for an unknown one the planner expects a tenth of all keys.
 */
const clear = (keys: Sql): Sql =>
  sql`DELETE FROM idempotency_keys WHERE key = ANY(ARRAY(
        SELECT key FROM ${keys}
        ORDER BY created_at LIMIT 10 FOR UPDATE OF idempotency_keys SKIP LOCKED))`;

/** An idempotency key and the fingerprint of the request that was sent with it. */
export interface KeyedRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** The fingerprint of a request; equal requests have equal fingerprints. */
export const fingerprintOf = (request: unknown): string =>
  createHash("sha256").update(JSON.stringify(request)).digest("hex");

const noop = (): void => undefined;

function throwUnavailable(fault: unknown): void {
  const refusal = refusalOf(fault);
  if (refusal?.code === "UNAVAILABLE") throw refusal;
}

/** Stores which order was placed under which key, in the transaction of that order. */
export class IdempotencyKeys {
  private readonly keys: Repository<IdempotencyKey>;
  /** The end of the last queued task of each key; it rejects if the task found the database unavailable. */
  private readonly turns = new Map<string, Promise<void>>();

  constructor(
    private readonly sequelize: Sequelize,
    private readonly settings: IdempotencyKeySettings,
  ) {
    this.keys = sequelize.getRepository(IdempotencyKey);
  }

  /**
   * Runs a task after the earlier tasks of its key in this process have ended. The lock of {@link claim}
   * would also keep them apart, but each waiting task would then hold a database connection.
   *
   * @throws DomainError UNAVAILABLE if an earlier task found the database unavailable, so that waiting
   *   tasks don't time out one by one; any error of `task`
   */
  async inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.turns.get(key) ?? Promise.resolve();
    const turn = before.then(task);
    const over = turn.then(noop, throwUnavailable);
    over.catch(noop);
    this.turns.set(key, over);
    try {
      return await turn;
    } finally {
      if (this.turns.get(key) === over) this.turns.delete(key);
    }
  }

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
    const used = await this.keys.findOne({
      where: { key, createdAt: { [Op.gt]: this.expiry() } },
      transaction,
    });
    if (used && used.fingerprint !== fingerprint) throw idempotencyKeyReused();
    return used?.orderId;
  }

  /**
   * Stores the order of a claimed key, and deletes some expired keys. A stored key that has not expired is
   * never overwritten.
   *
   * @throws Overtaken if another transaction has placed an order under the key since it was claimed
   */
  async remember(
    { key, fingerprint }: KeyedRequest,
    orderId: number,
    transaction: Transaction,
  ): Promise<void> {
    await runSql(
      this.sequelize,
      clear(sql`idempotency_keys WHERE created_at <= ${this.expiry()} AND key <> ${key}`),
      { transaction },
    );
    const [stored] = await runSql(
      this.sequelize,
      sql`INSERT INTO idempotency_keys AS stored (key, fingerprint, order_id, created_at)
          VALUES (${key}, ${fingerprint}, ${orderId}, ${new Date()})
          ON CONFLICT (key) DO UPDATE
            SET fingerprint = excluded.fingerprint,
                order_id = excluded.order_id,
                created_at = excluded.created_at
            WHERE stored.created_at <= ${this.expiry()}
          RETURNING key`,
      { transaction },
    );
    if (!stored) throw new Overtaken("Another order was placed under the same key");
  }

  /**
   * A part of the statement that stores a new order (`placeAtOnce`), named `new_order`. It stores the key
   * with the id of the order, and deletes some expired keys. If the key is stored already, even if it has
   * expired, or if `accepted` is empty, it does nothing and has no row. A claim of the same key that is
   * under way is waited for.
   */
  withNewOrder({ key, fingerprint }: KeyedRequest, createdAt: Date): Sql {
    // The first condition saves the id of an order that is not placed; the conflict decides.
    return sql`new_order AS (
      INSERT INTO idempotency_keys (key, fingerprint, order_id, created_at)
      SELECT ${key}, ${fingerprint}, nextval('orders_id_seq'), ${createdAt}
      FROM accepted WHERE NOT EXISTS (SELECT FROM idempotency_keys WHERE key = ${key})
      ON CONFLICT (key) DO NOTHING
      RETURNING order_id AS id
    ), cleared AS (
      ${clear(sql`new_order, idempotency_keys WHERE created_at <= ${this.expiry()}`)}
    )`;
  }

  private expiry(): Date {
    return new Date(Date.now() - this.settings.ttl * 1000);
  }
}
