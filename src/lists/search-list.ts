import type { Readable } from "../database/connection/read-pool";
import sql, { join, raw, type Sql } from "sql-template-tag";
import {
  matching,
  rowsOfPage,
  selected,
  countOf,
  type ListPart,
  type ListQuery,
} from "./list-query";
import { tableOf } from "../database/statements/columns";
import { runSql } from "../database/statements/sql";

/** Rows of the sorted list that are looked through first. */
const SAMPLE = 2_000;

/** Rows that are looked through at most. */
const LONGEST_WALK = 100_000;

/** With more matches than this in the sample, counting in all rows is quicker than by the indexed conditions. */
const MANY = 100;

/** How many times longer a walk is than the sample suggests, because matches are not spread evenly. */
const ALLOWANCE = 1.5;

/** A list of the rows that match a search, of which there may be few or many. */
export interface SearchQuery<Row extends { id: number }> extends ListQuery<Row> {
  readonly search: readonly Sql[];
}

/**
 * Reads a page of the rows that match a search, and their total, in one statement. It first searches a sample at the
 * beginning of the sorted list, where very frequent words already fill a page. From the matches in the sample, it
 * estimates how far to walk in the sorted list to the end of the page. If the walk is shorter than the estimated
 * number of all matches, it walks. Otherwise it finds all matching rows and sorts them. PostgreSQL's own plan would
 * sometimes walk through the whole index of the order: if words are frequent, but never occur together.
 */
export async function readSearch<Row extends { id: number }>(
  database: Readable,
  query: SearchQuery<Row>,
): Promise<ListPart<Row>> {
  const { model, orderBy, signal } = query;
  const rows = await runSql<Row & { list_total: number }>(
    database,
    sql`WITH ${stepsToPage(query)}
        SELECT list_total, ${selected(query)}
        FROM (SELECT ${countOfMatches(query)} AS list_total) AS totals
        LEFT JOIN ${tableOf(model)} ON id = ANY(ARRAY(SELECT id FROM page))
        ORDER BY ${orderBy}`,
    { signal },
  );
  const total = rows[0]?.list_total ?? 0;
  return { rows: rowsOfPage<Row>(rows, query), total };
}

/** The rows of a page of the rows that match a search, as a subquery. */
export const searchedPage = (query: SearchQuery<{ id: number }>): Sql =>
  sql`WITH ${stepsToPage(query)} SELECT * FROM ${tableOf(query.model)} WHERE id = ANY(ARRAY(SELECT id FROM page))`;

/** The number of all matches. By the indexed conditions, few matches are found quickly, but many slowly. */
function countOfMatches(query: SearchQuery<{ id: number }>): Sql {
  const { where, search, indexed } = query;
  const total = countOf([...where, ...search], query);
  if (!indexed || !query.counted) return total;
  return sql`CASE WHEN (SELECT count(*) FROM (${nearest(query, SAMPLE)}) AS nearest WHERE ${join(search, " AND ")}) > ${MANY}
    THEN ${total} ELSE ${countOf([...where, ...indexed], query)} END`;
}

/** The first rows of the sorted list, matching or not. */
function nearest({ model, where, from, orderBy }: SearchQuery<{ id: number }>, rows: number): Sql {
  const listed = matching(model, from ? [...where, from] : where);
  return sql`SELECT * ${listed} ORDER BY ${orderBy} LIMIT ${rows}`;
}

/** Common table expressions. The last one, `page`, has the ids of the page's rows. */
function stepsToPage(query: SearchQuery<{ id: number }>) {
  const { model, where, search, indexed = search, from, orderBy, limit, offset } = query;
  const wanted = String(offset + BigInt(limit));
  const skipped = String(offset);
  const found = matching(model, [...where, ...indexed, ...(from ? [from] : [])]);
  const matchesIn = (rows: Sql): Sql =>
    sql`SELECT id FROM (${rows}) AS nearest WHERE ${join(search, " AND ")} ORDER BY ${orderBy} LIMIT ${wanted}`;
  const filledBy = (rows: Sql): Sql => sql`(SELECT count(*) FROM ${rows}) = ${wanted}`;
  const [sample, walked] = [raw("sample"), raw("walked")];
  // The planner does not know the length of the walk. It knows the limit inside it, and so uses the index.
  return sql`sample AS MATERIALIZED (${matchesIn(nearest(query, SAMPLE))}),
    walk AS (
      SELECT CASE WHEN matches < ${wanted} AND walk <= matches * reltuples / ${SAMPLE} THEN walk ELSE 0 END AS length
      FROM pg_class, (
        SELECT matches, ceil(${ALLOWANCE * SAMPLE} * ${wanted}::float / nullif(matches, 0)) AS walk
        FROM (SELECT count(*)::float AS matches FROM sample) AS counted
      ) AS estimated
      WHERE oid = ${model.tableName}::regclass
    ),
    walked AS MATERIALIZED (
      ${matchesIn(sql`SELECT * FROM (${nearest(query, LONGEST_WALK)}) AS longest LIMIT (SELECT length FROM walk)`)}
    ),
    page AS (
      (SELECT id FROM sample WHERE ${filledBy(sample)} OFFSET ${skipped})
      UNION ALL
      (SELECT id FROM walked WHERE ${filledBy(walked)} OFFSET ${skipped})
      UNION ALL
      (SELECT id FROM (SELECT * ${found} OFFSET 0) AS found
       WHERE NOT (${filledBy(sample)} OR ${filledBy(walked)})
       ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${skipped})
    )`;
}
