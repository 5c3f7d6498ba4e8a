import type { Sequelize } from "sequelize-typescript";
import sql, { empty, join, type Sql } from "sql-template-tag";
import { columnsOf, tableOf, type ModelTable } from "./model-table";
import { runSql } from "./sql";

/** Rows of a model's table, and which part of them. Conditions name columns without a table's alias. */
export interface ListQuery<Row extends { id: number }> {
  /** Says the table, its columns and what a row is. */
  readonly model: ModelTable<Row>;
  /** Conditions, all of which hold. */
  readonly where: readonly Sql[];
  /** Where the part begins, as one more condition; what it leaves out is counted nevertheless. */
  readonly from?: Sql;
  readonly orderBy: Sql;
  readonly limit: number;
  readonly offset: bigint;
  /** Whether the number of all rows is counted. */
  readonly counted: boolean;
}

/** Part of a list. */
export interface ListPart<Row> {
  readonly rows: Row[];
  /** The number of all rows, of the same snapshot; 0 where it was not counted. */
  readonly total: number;
}

/** The order of every list that is not sorted otherwise (contract 8.4); the id breaks ties. */
export const newestFirst = sql`created_at DESC, id DESC`;

/**
 * Reads part of a list and the number of all its rows in one statement, hence of one snapshot: two
 * statements disagree under writes (contract 8.3).
 */
export async function readList<Row extends { id: number }>(
  sequelize: Sequelize,
  query: ListQuery<Row>,
): Promise<ListPart<Row>> {
  const parts = await readLists(sequelize, query, { keys: [0] });
  return parts.get(0) ?? { rows: [], total: 0 };
}

/**
 * Reads the same part of several lists in one statement: for each key the list of the rows that have
 * it in `column`. Every key has an entry.
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
    // An empty part leaves one row that only has its key and total.
    if ((row as { id: number | null }).id !== null) part.rows.push(row);
  }
  return parts;
}
