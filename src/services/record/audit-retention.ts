import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../../database/statements/sql";
import { DAY, deletionOfOld } from "./retention";

/** Deletes the oldest entries of the audit log that are older than so many days of 24 hours; returns their number. */
export const deleteOldEntries = (sequelize: Sequelize, days: number): Promise<number> =>
  sequelize.transaction(async (transaction) => {
    // A trigger looks at this before the statement begins (migration 028).
    await runSql(sequelize, sql`SELECT set_config('tea_shop.audit', 'retention', true)`, {
      transaction,
    });
    const statement = deletionOfOld("audit_entries", days * DAY);
    return (await runSql(sequelize, statement, { transaction })).length;
  });
