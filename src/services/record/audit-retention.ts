import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../../database/statements/sql";
import { RETENTION_BATCH } from "./retention";

/** Deletes the oldest entries of the audit log that are older than so many days of 24 hours; returns their number. */
export const deleteOldEntries = (sequelize: Sequelize, days: number): Promise<number> =>
  sequelize.transaction(async (transaction) => {
    // A trigger looks at this before the statement begins (migration 028).
    await runSql(sequelize, sql`SELECT set_config('tea_shop.audit', 'retention', true)`, {
      transaction,
    });
    const deleted = await runSql(
      sequelize,
      sql`DELETE FROM audit_entries WHERE id IN (
            SELECT id FROM audit_entries WHERE at < now() - ${days} * interval '24 hours'
            ORDER BY at, id LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED)
          RETURNING id`,
      { transaction },
    );
    return deleted.length;
  });
