import type { Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import { withRetries } from "./retries";

/**
 * Runs `work` in one transaction, which is committed when `work` resolves and rolled back when it throws.
 * After a transient failure the transaction is repeated ({@link withRetries}), so `work` must have no
 * effects outside the transaction.
 */
export const inTransaction = <T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> => withRetries(() => sequelize.transaction(work));
