import { QueryTypes, type Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";

/** A statement and the values of its parameters: `$1` is the first. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs a handwritten statement, in the transaction if one is given, and returns its rows; the caller
 * declares their type. Nothing else passes SQL to Sequelize.
 */
export function runSql<Row extends object>(
  sequelize: Sequelize,
  { text, values }: Statement,
  transaction?: Transaction,
): Promise<Row[]> {
  return sequelize.query<Row>(text, {
    bind: [...values],
    // Declared as a SELECT, so that Sequelize returns the rows unchanged, also those of RETURNING.
    type: QueryTypes.SELECT,
    ...(transaction && { transaction }),
  });
}
