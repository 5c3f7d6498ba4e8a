import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runWithin } from "../database/statements/sql";
import { inTransaction } from "../database/statements/transaction";

/**
 * Adds the rows of `catalogue_changes` to the one row of `catalogue_state` and deletes them. This changes the
 * version in no snapshot. Does nothing while another process is at it.
 */
export const compactCatalogueChanges = (sequelize: Sequelize): Promise<void> =>
  inTransaction(sequelize, async (transaction) => {
    const locked = await runWithin(
      sequelize,
      transaction,
      sql`SELECT 1 FROM catalogue_state FOR UPDATE SKIP LOCKED`,
    );
    if (locked.length === 0) return;
    // A statement of its own, whose snapshot has what the previous holder of the lock has committed.
    await runWithin(
      sequelize,
      transaction,
      sql`WITH folded AS (DELETE FROM catalogue_changes RETURNING mark)
          UPDATE catalogue_state
          SET changes = changes + (SELECT count(*) FROM folded),
              marks = marks # (SELECT coalesce(bit_xor(mark), 0) FROM folded)`,
    );
  });
