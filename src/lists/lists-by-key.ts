import type { Readable } from "../database/connection/read-pool";
import sql, { type Sql } from "sql-template-tag";
import {
  conditionsOf,
  matching,
  pageClauses,
  selected,
  countOf,
  type ListPart,
  type ListQuery,
} from "./list-query";
import { searchedPage } from "./search-list";
import { runSql } from "../database/statements/sql";

/**
 * Reads the same page of several lists in one statement. The list of a key is the rows that have the key
 * in `column`. The result has an entry for every key. If `storedCounts` is given, it names the list of
 * `list_key`, and stored totals are used.
 */
export async function readLists<Row extends { id: number }>(
  database: Readable,
  query: ListQuery<Row>,
  { column, keys }: { column: Sql; keys: readonly number[] },
): Promise<Map<number, ListPart<Row>>> {
  const { search, orderBy, signal } = query;
  const list = { ...query, where: [sql`${column} = list_key`, ...query.where] };
  const page = search ? searchedPage({ ...list, search }) : pageOfKey(list);
  const rows = await runSql<Row & { list_key: number; list_total: number }>(
    database,
    sql`SELECT list_key, list_total, ${selected(query)}
        FROM unnest(${keys}::integer[]) AS lists (list_key)
        CROSS JOIN LATERAL (SELECT ${storedCountOf(list)} AS list_total) AS totals
        LEFT JOIN LATERAL (${page}) AS part ON true
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

/** Like {@link countOf}, but counts rows only if the database has no stored total at present. */
const storedCountOf = (query: ListQuery<{ id: number }>): Sql => {
  const { storedCounts, counted, model, where, search = [] } = query;
  const all = countOf([...where, ...search], query);
  if (!storedCounts || !counted) return all;
  const total = sql`SELECT total FROM list_total(${model.tableName}, ${storedCounts.list})`;
  return sql`coalesce((${total})::integer, ${all})`;
};

/** The rows of a page of the list of `list_key`. */
const pageOfKey = (query: ListQuery<{ id: number }>): Sql =>
  sql`SELECT * ${matching(query.model, conditionsOf(query))} ${pageClauses(query)}`;
