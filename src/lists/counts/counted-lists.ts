import type { Readable } from "../../database/connection/read-pool";
import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { rowsOfPage, selected, type ListPart, type ListQuery } from "../list-query";
import { tableOf } from "../../database/statements/columns";
import { runSql } from "../../database/statements/sql";

/** A list in the default order, whose total and positions the database stores. */
export interface CountedList {
  /** Its conditions as the database names them, such as `status=PAID`; empty for the list of all rows. */
  readonly list: Sql;
  /** A name for the statement that reads it; see {@link runSql}. */
  readonly name: string;
}

/** A query for part of a list with stored counts. */
export type CountedListQuery<Row extends { id: number }> = ListQuery<Row> & {
  readonly storedCounts: CountedList;
};

export interface CountedListPart<Row> extends ListPart<Row> {
  /**
   * Changes of the table that are not folded into the stored counts yet. The more there are, the
   * longer a read takes.
   */
  readonly unfolded: number;
}

/** Up to this offset, skipping rows in an index is cheaper than looking up where the page begins. */
const WALKED = 2_000n;

/** Whether stored counts help to read this part of a list. */
export const isCounted = <Row extends { id: number }>(
  query: ListQuery<Row>,
): query is CountedListQuery<Row> =>
  query.storedCounts !== undefined && (query.counted || query.offset > WALKED);

/**
 * Reads a page of a list and its total in one statement, without counting rows or walking to the page. Returns
 * undefined if the table has no stored counts at present.
 */
export async function readCountedList<Row extends { id: number }>(
  database: Readable,
  query: CountedListQuery<Row>,
): Promise<CountedListPart<Row> | undefined> {
  const { storedCounts, orderBy, counted, from, reference, without, signal } = query;
  const { list, page, name } = partsOf(query);
  const rows = await runSql<Row & { list_total: number | null; list_unfolded: number }>(
    database,
    sql`SELECT list.total::integer AS list_total, list.unfolded::integer AS list_unfolded, ${selected(query)}
        FROM ${list} AS list LEFT JOIN LATERAL (${page}) AS part ON list.total IS NOT NULL
        ORDER BY ${orderBy}`,
    {
      name: `${without ? "bare" : "kept"} ${storedCounts.name}, ${name}${from ? ", from" : ""}${reference ? ", joined" : ""}`,
      signal,
    },
  );
  const total = rows[0]?.list_total ?? null;
  if (total === null) return undefined;
  return {
    rows: rowsOfPage<Row>(rows, query),
    total: counted ? total : 0,
    unfolded: rows[0]?.list_unfolded ?? 0,
  };
}

interface Parts {
  /** A call of the database's function that returns the total and, for a far page, where the page begins. */
  readonly list: Sql;
  /** The rows of the page. */
  readonly page: Sql;
  /** The part of the statement's name for pages of this kind. */
  readonly name: string;
}

/**
 * Page sizes with a statement of their own: the default, and frequent ones. PostgreSQL caches a plan only if
 * the statement contains the size; otherwise it plans every read anew, at twice the cost of the read. A
 * connection reads one entry more than its size, to know whether the list goes on: hence 11, 21 and 51.
 */
const FREQUENT_SIZES: ReadonlySet<number> = new Set([10, 11, 20, 21, 50, 51]);

function partsOf<Row extends { id: number }>(query: CountedListQuery<Row>): Parts {
  const { model, storedCounts, limit, offset, backwards } = query;
  const [size, of] = FREQUENT_SIZES.has(limit)
    ? [raw(`${limit}`), ` ${limit}`]
    : [sql`${limit}`, ""];
  const total = sql`list_total(${model.tableName}, ${storedCounts.list})`;
  if (offset === 0n) {
    const page = sql`SELECT * ${rowsOf(query)} LIMIT ${size}`;
    return { list: total, page, name: `${backwards ? "last" : "first"}${of}` };
  }
  // Only the rows of the page are read from the table; those before it are skipped in the index.
  const rows = sql`SELECT * FROM ${tableOf(model)}`;
  if (offset <= WALKED) {
    // As a subquery, the offset is unknown to the planner, which would otherwise make a plan for each page.
    const ids = sql`SELECT id ${rowsOf(query)} LIMIT ${size} OFFSET (SELECT ${offset.toString()}::bigint)`;
    return { list: total, page: sql`${rows} WHERE id = ANY(ARRAY(${ids}))`, name: `near${of}` };
  }
  const below = sql`AND (created_at, id) < (list.below_created_at, list.below_id)`;
  const ids = sql`SELECT id ${rowsOf(query, below)} LIMIT ${size} OFFSET list.left_to_skip`;
  const found = sql`find_in_list(${model.tableName}, ${storedCounts.list}, ${offset.toString()})`;
  return { list: found, page: sql`${rows} WHERE id IN (${ids})`, name: `far${of}` };
}

const rowsOf = (
  { model, where, from, orderBy }: CountedListQuery<{ id: number }>,
  below: Sql = empty,
): Sql =>
  sql`FROM ${tableOf(model)} WHERE ${where.length > 0 ? join(where, " AND ") : sql`true`}
        ${from ? sql`AND ${from}` : empty} ${below} ORDER BY ${orderBy}`;
