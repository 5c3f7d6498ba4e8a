import type { Sequelize } from "sequelize-typescript";
import sql, { empty, join, type Sql } from "sql-template-tag";
import type { KeptList } from "./kept-lists";
import { columnsOf, tableOf, type ModelTable } from "./model-table";
import type { ReferencedRow } from "./referenced-row";
import { runSql } from "./sql";

/** A page of a model's rows. Conditions name columns without a table alias. */
export interface ListQuery<Row extends { id: number }> {
  readonly model: ModelTable<Row>;
  readonly where: readonly Sql[];
  /** The conditions of a search, which few or many of the rows meet; see {@link readSearch}. */
  readonly search?: readonly Sql[] | undefined;
  /** A row that each row of the page comes with. */
  readonly reference?: ReferencedRow | undefined;
  /** A further condition, on the page only: the total also counts the rows that it excludes. */
  readonly from?: Sql;
  readonly orderBy: Sql;
  readonly limit: number;
  readonly offset: bigint;
  /** Whether to count all rows. */
  readonly counted: boolean;
  /** Ends the statement when nobody waits for the list any more. */
  readonly signal?: AbortSignal | undefined;
  /** A name for the conditions and the order, if the list is read often; see {@link runSql}. */
  readonly name?: string | undefined;
  /** What the database calls this list if it keeps its total and positions (kept-lists.ts). */
  readonly kept?: KeptList | undefined;
}

export interface ListPart<Row> {
  readonly rows: Row[];
  /** The number of all rows in the same snapshot; 0 if it was not counted. */
  readonly total: number;
}

/** Rows that it is cheaper to skip than to look up where they end. */
export const NEAR = 500n;

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
  const { model, orderBy, limit, offset, counted, signal } = query;
  const page = matching(model, [...query.where, ...(query.from ? [query.from] : [])]);
  const part = sql`ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset.toString()}`;
  // Far down only the rows of the page are read from the table; those before it are skipped in the index.
  const isFar = offset > NEAR;
  const rows = await runSql<Row & { list_total: number }>(
    sequelize,
    sql`SELECT ${selected(query)}, ${totalOf(query.where, query)} AS list_total ${
      isFar
        ? sql`FROM ${tableOf(model)} WHERE id = ANY(ARRAY(SELECT id ${page} ${part})) ORDER BY ${orderBy}`
        : sql`${page} ${part}`
    }`,
    { name: nameOf(query), signal },
  );
  if (query.reference) for (const row of rows) query.reference.parse(row);
  const [first] = rows;
  if (first) return { rows, total: first.list_total };
  // No row is left to carry the total. A first page without rows is that of an empty list.
  if (!counted || (offset === 0n && !query.from)) return { rows, total: 0 };
  const parts = await readLists(sequelize, query, { keys: [0] });
  return parts.get(0) ?? { rows: [], total: 0 };
}

/**
 * Reads the same page of several lists in one statement. The list of a key is the rows that have the key in
 * `column`. The result has an entry for every key.
 */
export async function readLists<Row extends { id: number }>(
  sequelize: Sequelize,
  query: ListQuery<Row>,
  { column, keys }: { column?: Sql; keys: readonly number[] },
): Promise<Map<number, ListPart<Row>>> {
  const { model, from, orderBy, limit, offset, signal } = query;
  const where = [...query.where, ...(query.search ?? [])];
  if (column) where.unshift(sql`${column} = list_key`);
  const page = [...where, ...(from ? [from] : [])];
  const rows = await runSql<Row & { list_key: number; list_total: number }>(
    sequelize,
    sql`SELECT list_key, list_total, ${selected(query)}
        FROM unnest(${keys}::integer[]) AS lists (list_key)
        CROSS JOIN LATERAL (SELECT ${totalOf(where, query)} AS list_total) AS totals
        LEFT JOIN LATERAL (
          SELECT * ${matching(model, page)} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset.toString()}
        ) AS part ON true
        ORDER BY list_key, ${orderBy}`,
    { signal },
  );
  const parts = new Map<number, ListPart<Row>>();
  for (const row of rows) {
    query.reference?.parse(row);
    const part = parts.get(row.list_key) ?? { rows: [], total: row.list_total };
    parts.set(row.list_key, part);
    // An empty page leaves one row that has only a key and a total.
    if ((row as { id: number | null }).id !== null) part.rows.push(row);
  }
  return parts;
}

/** The name of a list's statement; what is left out of it has another text. */
const nameOf = ({ name, counted, from, offset }: ListQuery<{ id: number }>): string | undefined =>
  name &&
  `${name}${counted ? ", counted" : ""}${from ? ", from" : ""}${offset > NEAR ? ", far" : ""}`;

/** The columns of the rows of a list. */
export const selected = ({
  model,
  reference,
}: Pick<ListQuery<{ id: number }>, "model" | "reference">) =>
  reference ? sql`${columnsOf(model)}, ${reference.column}` : columnsOf(model);

/** The rows of a model that meet all conditions, as a FROM clause. */
export const matching = (model: ModelTable<object>, conditions: readonly Sql[]): Sql =>
  sql`FROM ${tableOf(model)} ${conditions.length > 0 ? sql`WHERE ${join(conditions, " AND ")}` : empty}`;

/** The number of all rows of a list, as an expression; 0 if it is not counted. */
export const totalOf = (
  where: readonly Sql[],
  { model, counted }: Pick<ListQuery<{ id: number }>, "model" | "counted">,
): Sql => (counted ? sql`(SELECT count(*)::integer ${matching(model, where)})` : sql`0`);
