import type { Sequelize } from "sequelize-typescript";
import sql, { raw, type Sql } from "sql-template-tag";
import { runSql } from "./sql";

/** The parts of a model that handwritten SQL needs. Every repository has them; `Row` is a plain row. */
export interface ModelTable<Row extends object> {
  new (): { readonly _attributes: Row };
  readonly tableName: string;
  getAttributes(): Readonly<Record<string, { readonly field?: string; readonly type: unknown }>>;
}

export const tableOf = ({ tableName }: ModelTable<object>): Sql => raw(tableName);

const columnLists = new WeakMap<ModelTable<object>, Map<string | undefined, Sql>>();

/** The columns of a model, named like its attributes, such as `"is_active" AS "isActive"`; all but one. */
export function columnsOf(model: ModelTable<object>, without?: string): Sql {
  const lists = columnLists.get(model) ?? new Map<string | undefined, Sql>();
  columnLists.set(model, lists);
  const known = lists.get(without);
  if (known) return known;
  const columns = Object.entries(model.getAttributes())
    .filter(([name]) => name !== without)
    .map(([name, { field = name }]) => `"${field}" AS "${name}"`);
  const list = raw(columns.join(", "));
  lists.set(without, list);
  return list;
}

/** A selection of a model's rows. */
interface RowSelection {
  /** What follows the table's name, such as a WHERE clause. */
  readonly rest: Sql;
  /** The name under which the statement is prepared, if it runs often; see {@link runSql}. */
  readonly name?: string;
}

/** The selected rows of a model, as plain objects with its attributes. */
export const selectRows = <Row extends object>(
  sequelize: Sequelize,
  model: ModelTable<Row>,
  { rest, name }: RowSelection,
): Promise<Row[]> =>
  runSql<Row>(sequelize, sql`SELECT ${columnsOf(model)} FROM ${tableOf(model)} ${rest}`, { name });

/** The rows that have one of these values in a column. It runs often, so it is prepared by name. */
export const rowsBy = <Row extends object>(
  sequelize: Sequelize,
  model: ModelTable<Row>,
  column: "id" | "slug",
  values: readonly (number | string)[],
): Promise<Row[]> =>
  selectRows(sequelize, model, {
    rest: sql`WHERE ${raw(column)} = ANY(${values})`,
    name: `${model.tableName} by ${column}`,
  });

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
