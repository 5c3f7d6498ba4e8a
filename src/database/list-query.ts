import type { Sequelize } from "sequelize-typescript";
import sql, { empty, join, type Sql } from "sql-template-tag";
import { columnsOf, tableOf, type ModelTable } from "./model-table";
import { runSql } from "./sql";

/** A page of a model's rows. Conditions name columns without a table alias. */
export interface ListQuery<Row extends { id: number }> {
  readonly model: ModelTable<Row>;
  readonly where: readonly Sql[];
  /** A further condition, on the page only: the total also counts the rows that it excludes. */
  readonly from?: Sql;
  readonly orderBy: Sql;
  readonly limit: number;
  readonly offset: bigint;
  /** Whether to count all rows. */
  readonly counted: boolean;
}

export interface ListPart<Row> {
  readonly rows: Row[];
  /** The number of all rows in the same snapshot; 0 if it was not counted. */
  readonly total: number;
}

/** The default order of every list (contract 8.4); the id breaks ties. */
export const newestFirst = sql`created_at DESC, id DESC`;

/**
 * Reads a page of a list and the number of all its rows in one statement, because two statements could see
 * different data (contract 8.3).
 */
export async function readList<Row extends { id: number }>(
  sequelize: Sequelize,
  query: ListQuery<Row>,
): Promise<ListPart<Row>> {
  const parts = await readLists(sequelize, query, { keys: [0] });
  return parts.get(0) ?? { rows: [], total: 0 };
}

/**
 * Reads the same page of several lists in one statement. The list of a key is the rows that have the key in
 * `column`. The result has an entry for every key.
 */
export async function readLists<Row extends { id: number }>(
  sequelize: Sequelize,
  { model, where, from, orderBy, limit, offset, counted }: ListQuery<Row>,
  { column, keys }: { column?: Sql; keys: readonly number[] },
): Promise<Map<number, ListPart<Row>>> {
  const conditions = column ? [sql`${column} = list_key`, ...where] : [sql`true`, ...where];
  const matching = sql`FROM ${tableOf(model)} WHERE ${join(conditions, " AND ")}`;
  const total = counted
    ? sql`SELECT count(*)::integer AS list_total ${matching}`
    : sql`SELECT 0 AS list_total`;
  const rows = await runSql<Row & { list_key: number; list_total: number }>(
    sequelize,
    sql`SELECT list_key, list_total, ${columnsOf(model)}
        FROM unnest(${keys}::integer[]) AS lists (list_key)
        CROSS JOIN LATERAL (${total}) AS totals
        LEFT JOIN LATERAL (
          SELECT * ${matching} ${from ? sql`AND ${from}` : empty} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset.toString()}
        ) AS part ON true
        ORDER BY list_key, ${orderBy}`,
  );
  const parts = new Map<number, ListPart<Row>>();
  for (const row of rows) {
    const part = parts.get(row.list_key) ?? { rows: [], total: row.list_total };
    parts.set(row.list_key, part);
    // An empty page leaves one row that has only a key and a total.
    if ((row as { id: number | null }).id !== null) part.rows.push(row);
  }
  return parts;
}
