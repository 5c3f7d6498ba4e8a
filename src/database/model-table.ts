import type { Sequelize } from "sequelize-typescript";
import sql, { raw, type Sql } from "sql-template-tag";
import { runSql } from "./sql";

/** The parts of a model that handwritten SQL needs. Every repository has them; `Row` is a plain row. */
export interface ModelTable<Row extends object> {
  new (): { readonly _attributes: Row };
  readonly tableName: string;
  getAttributes(): Readonly<Record<string, { readonly field?: string }>>;
}

export const tableOf = ({ tableName }: ModelTable<object>): Sql => raw(tableName);

/** All columns of a model, named like its attributes, such as `"id", "is_active" AS "isActive"`. */
export function columnsOf(model: ModelTable<object>): Sql {
  const columns = Object.entries(model.getAttributes()).map(([name, { field = name }]) =>
    field === name ? `"${name}"` : `"${field}" AS "${name}"`,
  );
  return raw(columns.join(", "));
}

/** Deletes a row in one statement and returns it; undefined if there is no such row. */
export async function deleteRow<Row extends { readonly id: number }>(
  sequelize: Sequelize,
  model: ModelTable<Row>,
  id: number,
): Promise<Row | undefined> {
  const [row] = await runSql<Row>(
    sequelize,
    sql`DELETE FROM ${tableOf(model)} WHERE id = ${id} RETURNING ${columnsOf(model)}`,
  );
  return row;
}
