import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../database/statements/sql";
import { inTransaction } from "../database/statements/transaction";

/**
 * Adds the rows of `catalogue_changes` to the one row of `catalogue_state` and deletes them. No version is
 * changed by it, in any snapshot. Does nothing if another process is doing it.
 */
export const compactCatalogueChanges = (sequelize: Sequelize): Promise<void> =>
  inTransaction(sequelize, async (transaction) => {
    const locked = await runSql(
      sequelize,
      sql`SELECT 1 FROM catalogue_state FOR UPDATE SKIP LOCKED`,
      { transaction },
    );
    if (locked.length === 0) return;
    // A statement of its own: its snapshot has what the last one to hold the lock did.
    await runSql(
      sequelize,
      sql`WITH folded AS (DELETE FROM catalogue_changes RETURNING mark)
          UPDATE catalogue_state
          SET changes = changes + (SELECT count(*) FROM folded),
              marks = marks # (SELECT coalesce(bit_xor(mark), 0) FROM folded)`,
      { transaction },
    );
  });
