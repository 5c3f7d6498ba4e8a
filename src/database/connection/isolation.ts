import type { Sequelize } from "sequelize-typescript";

/**
 * Begins a transaction. The level is explicit because the database may have a stricter default, under which
 * the second of two concurrent changes of a row would fail.
 */
export const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED";

/** A method of Sequelize's query generator that its declarations leave out. */
interface TransactionStatements {
  startTransactionQuery(transaction: { readonly parent?: unknown }): string;
}

/** Begins every transaction with {@link BEGIN}; Sequelize's option for the level costs another statement. */
export function nameIsolation(sequelize: Sequelize): void {
  const { queryGenerator } = sequelize.getQueryInterface() as unknown as {
    queryGenerator: TransactionStatements;
  };
  const begin = queryGenerator.startTransactionQuery.bind(queryGenerator);
  queryGenerator.startTransactionQuery = (transaction) =>
    transaction.parent ? begin(transaction) : `${BEGIN};`;
}
