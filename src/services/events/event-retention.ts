import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../../database/statements/sql";
import { RETENTION_BATCH } from "../record/retention";

/** Deletes the oldest events that are older than so many days of 24 hours; returns their number. */
export async function deleteOldEvents(sequelize: Sequelize, days: number): Promise<number> {
  const deleted = await runSql(
    sequelize,
    sql`DELETE FROM events WHERE id IN (
          SELECT id FROM events WHERE at < now() - ${days} * interval '24 hours'
          ORDER BY at, id LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED)
        RETURNING id`,
  );
  return deleted.length;
}
