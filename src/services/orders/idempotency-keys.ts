import type { Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import type { IdempotencyKeySettings } from "../../config/settings";
import { ConcurrentChange } from "../../database/statements/failures";
import { runSql } from "../../database/statements/sql";
import { idempotencyKeyReused } from "../../vocabulary/errors";
import type { IdempotencyKey } from "../../models";
import type { KeyedRequest } from "./order-request";

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
