import type { Sequelize } from "sequelize-typescript";
import sql, { join, type Sql } from "sql-template-tag";
import {
  matching,
  rowsOfPage,
  selected,
  totalOf,
  type ListPart,
  type ListQuery,
} from "./list-query";
import { tableOf } from "./model-table";
import { runSql } from "./sql";

/** Rows of the sorted list that are looked through at least, and at most. */
const SHORTEST_WALK = 2_000n;
const LONGEST_WALK = 20_000n;

/** Rows that are looked through for each row that is wanted. */
const ROWS_PER_MATCH = 20n;

/** A list of the rows that match a search, of which there may be few or many. */
export interface SearchQuery<Row extends { id: number }> extends ListQuery<Row> {
  readonly search: readonly Sql[];
}

/**
 * Reads a page of the rows that match a search, and the number of all of them, in one statement. It first
 * looks through the beginning of the sorted list: frequent words fill a page there. Where that does not
 * fill the page, it finds all matching rows and sorts them. PostgreSQL's own estimate would at times walk
 * through the index of the order to its end, if words are frequent but never meet.
 */
export async function readSearch<Row extends { id: number }>(
  sequelize: Sequelize,
  query: SearchQuery<Row>,
): Promise<ListPart<Row>> {
  const { model, where, search, orderBy, signal } = query;
  const rows = await runSql<Row & { list_total: number }>(
    sequelize,
    sql`WITH ${pageOf(query)}
        SELECT list_total, ${selected(query)}
        FROM (SELECT ${totalOf([...where, ...search], query)} AS list_total) AS totals
        LEFT JOIN ${tableOf(model)} ON id = ANY(ARRAY(SELECT id FROM page))
        ORDER BY ${orderBy}`,
    { signal },
  );
  const total = rows[0]?.list_total ?? 0;
  return { rows: rowsOfPage<Row>(rows, query), total };
}

/** The common table expression `page`: the ids of the rows of the page. */
function pageOf({
  model,
  where,
  search,
  from,
  orderBy,
  limit,
  offset,
}: SearchQuery<{ id: number }>) {
  const listed = matching(model, from ? [...where, from] : where);
  const found = matching(model, [...where, ...search, ...(from ? [from] : [])]);
  const wanted = offset + BigInt(limit);
  return sql`walked AS MATERIALIZED (
      SELECT id FROM (SELECT * ${listed} ORDER BY ${orderBy} LIMIT ${walkFor(wanted)}) AS nearest
      WHERE ${join(search, " AND ")} ORDER BY ${orderBy} LIMIT ${String(wanted)}
    ),
    page AS (
      (SELECT id FROM walked
       WHERE (SELECT count(*) FROM walked) = ${String(wanted)} OFFSET ${String(offset)})
      UNION ALL
      (SELECT id FROM (SELECT * ${found} OFFSET 0) AS found
       WHERE (SELECT count(*) FROM walked) < ${String(wanted)}
       ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${String(offset)})
    )`;
}

/** The number of rows to look through for so many matches; none if they could not be found there. */
function walkFor(wanted: bigint): string {
  if (wanted > LONGEST_WALK) return "0";
  const walk = SHORTEST_WALK + wanted * ROWS_PER_MATCH;
  return String(walk < LONGEST_WALK ? walk : LONGEST_WALK);
}
