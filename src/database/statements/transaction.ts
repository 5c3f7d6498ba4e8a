import { setTimeout } from "node:timers/promises";
import type { Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import { isTransient } from "./failures";

const MAX_ATTEMPTS = 5;

/**
 * Runs `work`, and runs it again after a deadlock, a serialization failure or {@link ConcurrentChange}, a limited
 * number of times. Everything that `work` does must be undone when its transaction or statement fails.
 */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isTransient(error)) throw error;
      await setTimeout(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/**
 * Runs `work` in one transaction, which is committed when `work` resolves and rolled back when it throws.
 * After a transient failure the transaction is repeated ({@link withRetries}), so `work` must have no
 * effects outside the transaction.
 */
export const inTransaction = <T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> => withRetries(() => sequelize.transaction(work));
