import type { Sequelize } from "sequelize-typescript";

/**
 * Begins a transaction. The level is named, as the database may have another default: under stricter ones
 * changes of one row that meet would fail for whoever comes second.
 */
export const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED";

/** What is used of Sequelize's generator of statements; its declarations leave it out. */
interface TransactionStatements {
  startTransactionQuery(transaction: { readonly parent?: unknown }): string;
}

/**
 * Makes every transaction begin with {@link BEGIN}. Sequelize's own option for the level costs each
 * transaction another statement.
 */
export function nameIsolation(sequelize: Sequelize): void {
  const { queryGenerator } = sequelize.getQueryInterface() as unknown as {
    queryGenerator: TransactionStatements;
  };
  const begin = queryGenerator.startTransactionQuery.bind(queryGenerator);
  queryGenerator.startTransactionQuery = (transaction) =>
    transaction.parent ? begin(transaction) : `${BEGIN};`;
}
