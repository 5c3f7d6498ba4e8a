import { QueryTypes, type Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";

/** A statement and what its parameters are bound to, in order: `$1` is the first. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs a statement of our own on the pool, in a transaction where one is given, and returns the rows that
 * it shows; the caller says what a row is. The only place that hands SQL to Sequelize.
 */
export function runSql<Row extends object>(
  sequelize: Sequelize,
  { text, values }: Statement,
  transaction?: Transaction,
): Promise<Row[]> {
  return sequelize.query<Row>(text, {
    bind: [...values],
    // Sequelize returns the rows of whatever it takes for a SELECT as they are.
    type: QueryTypes.SELECT,
    ...(transaction && { transaction }),
  });
}
