import { setTimeout } from "node:timers/promises";
import type { Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import { isTransient } from "./failures";

const MAX_ATTEMPTS = 5;

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. Repeated,
 * a bounded number of times, where the database gave up on it for a deadlock or a serialization
 * failure, or where it was {@link Overtaken}; `work` must therefore have no other effects.
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
