import { createHash } from "node:crypto";
import { Op, type Transaction } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { IdempotencyKeySettings } from "../../config/settings";
import { Overtaken } from "../../database/failures";
import { runSql } from "../../database/sql";
import { idempotencyKeyReused } from "../../errors";
import { IdempotencyKey } from "../../models";
import { refusalOf } from "../refusals";

/** Expired keys that each new one clears away: more than one, so that they never pile up. */
const CLEARED_AT_ONCE = 10;

/** A key, and what was asked under it. */
export interface KeyedRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** The fingerprint of a request: equal for requests that ask for the same. */
export const fingerprintOf = (request: unknown): string =>
  createHash("sha256").update(JSON.stringify(request)).digest("hex");

const noop = (): void => undefined;

function throwUnavailable(fault: unknown): void {
  const refusal = refusalOf(fault);
  if (refusal?.code === "UNAVAILABLE") throw refusal;
}

/** Remembers the orders that were placed under keys, each in its order's own transaction. */
export class IdempotencyKeys {
  private readonly keys: Repository<IdempotencyKey>;
  /** The end of the last task of each key that is under way; a rejection says that the database is away. */
  private readonly turns = new Map<string, Promise<void>>();

  constructor(
    private readonly sequelize: Sequelize,
    private readonly settings: IdempotencyKeySettings,
  ) {
    this.keys = sequelize.getRepository(IdempotencyKey);
  }

  /**
   * Runs a task when the earlier ones of its key in this process are over. The database would keep them
   * apart as well, but each would hold a connection while it waits.
   *
   * @throws DomainError UNAVAILABLE where an earlier one found that the database is: waiting for it
   *   one after another, the last would be answered late; whatever `task` throws
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
   * The id of the order that was placed under the key; undefined where there is none. Others that claim
   * the key wait until this transaction ends: that saves them work which {@link remember} would refuse.
   *
   * @throws DomainError IDEMPOTENCY_KEY_REUSED where another request was placed under the key
   */
  async claim(
    { key, fingerprint }: KeyedRequest,
    transaction: Transaction,
  ): Promise<number | undefined> {
    await runSql(
      this.sequelize,
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`,
      transaction,
    );
    const used = await this.keys.findOne({
      where: { key, createdAt: { [Op.gt]: this.expiry() } },
      transaction,
    });
    if (used && used.fingerprint !== fingerprint) throw idempotencyKeyReused();
    return used?.orderId;
  }

  /**
   * Remembers the order that the key was claimed for, and clears some expired keys away. A key that is
   * stored and has not expired is never overwritten.
   *
   * @throws Overtaken where another transaction has placed an order under the key since it was claimed
   */
  async remember(
    { key, fingerprint }: KeyedRequest,
    orderId: number,
    transaction: Transaction,
  ): Promise<void> {
    await runSql(
      this.sequelize,
      sql`DELETE FROM idempotency_keys WHERE key IN (
            SELECT key FROM idempotency_keys WHERE created_at <= ${this.expiry()} AND key <> ${key}
            ORDER BY created_at LIMIT ${CLEARED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
      transaction,
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
      transaction,
    );
    if (!stored) throw new Overtaken(`Another order was placed under the same key`);
  }

  private expiry(): Date {
    return new Date(Date.now() - this.settings.ttl * 1000);
  }
}
