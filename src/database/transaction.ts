import { setTimeout } from "node:timers/promises";
import type { Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import { isTransient } from "./failures";

const MAX_ATTEMPTS = 5;

/**
 * Runs `work` in one transaction, which is committed when `work` resolves and rolled back when it throws.
 * After a deadlock, a serialization failure or {@link Overtaken} the transaction is repeated a limited
 * number of times, so `work` must have no effects outside the transaction.
 */
export async function inTransaction<T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sequelize.transaction(work);
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isTransient(error)) throw error;
      await setTimeout(Math.random() * 10 * 2 ** attempt);
    }
  }
}
