import type { Sequelize } from "sequelize-typescript";
import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { NEAR, rowsOfPage, selected, type ListPart, type ListQuery } from "./list-query";
import { tableOf } from "./model-table";
import { runSql } from "./sql";

/** The tables whose lists the database keeps (migration 011). */
export type KeptTable = "orders" | "products";

/** A list of which the database keeps the total and the positions, in the default order. */
export interface KeptList {
  /** Its conditions as the database names them, such as `status=PAID`; empty for the list of all rows. */
  readonly list: Sql;
  /** A name for the statement that reads it; see {@link runSql}. */
  readonly name: string;
}

/** A list that the database keeps, and of which part is wanted. */
export type KeptQuery<Row extends { id: number }> = ListQuery<Row> & { readonly kept: KeptList };

export interface KeptPart<Row> extends ListPart<Row> {
  /** Changes of the table that are not folded. The more there are, the longer it takes to read them. */
  readonly unfolded: number;
}

/** Whether what the database keeps helps to read this part of a list. */
export const isKept = <Row extends { id: number }>(
  query: ListQuery<Row>,
): query is KeptQuery<Row> => query.kept !== undefined && (query.counted || query.offset > NEAR);

/**
 * Reads a page of a list and its total in one statement, without counting rows or walking to the page.
 * Returns undefined if the lists of the table are not counted at present.
 */
export async function readKeptList<Row extends { id: number }>(
  sequelize: Sequelize,
  query: KeptQuery<Row>,
): Promise<KeptPart<Row> | undefined> {
  const { kept, orderBy, offset, counted, from, reference, signal } = query;
  const { list, page, name } = offset <= NEAR ? nearPage(query) : distantPage(query);
  const rows = await runSql<Row & { list_total: number | null; list_unfolded: number }>(
    sequelize,
    sql`SELECT list.total::integer AS list_total, list.unfolded::integer AS list_unfolded, ${selected(query)}
        FROM ${list} AS list LEFT JOIN LATERAL (${page}) AS part ON list.total IS NOT NULL
        ORDER BY ${orderBy}`,
    {
      name: `kept ${kept.name}, ${name}${from ? ", from" : ""}${reference ? ", joined" : ""}`,
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
  /** A function of the database that finds the list. */
  readonly list: Sql;
  /** The rows of the page. */
  readonly page: Sql;
  /** A name for such pages. */
  readonly name: string;
}

/**
 * Sizes of first pages that are prepared one by one: the default, and what clients like. PostgreSQL keeps its
 * plan only if it knows the size; otherwise it makes a plan for each page, at twice the cost of the page. An
 * entry more tells a connection whether there is a next part.
 */
const FREQUENT_SIZES: ReadonlySet<number> = new Set([10, 11, 20, 21, 50, 51]);

const partOf = ({ limit, offset }: Pick<ListQuery<{ id: number }>, "limit" | "offset">) =>
  offset === 0n && FREQUENT_SIZES.has(limit)
    ? { name: `first ${limit}`, part: raw(`LIMIT ${limit}`) }
    : { name: "near", part: sql`LIMIT ${limit} OFFSET ${offset.toString()}` };

function nearPage<Row extends { id: number }>({ model, kept, ...query }: KeptQuery<Row>): Parts {
  const { name, part } = partOf(query);
  return {
    list: sql`list_total(${model.tableName}, ${kept.list})`,
    page: sql`SELECT * FROM ${tableOf(model)} WHERE ${conditions(query)} ORDER BY ${query.orderBy} ${part}`,
    name,
  };
}

/** Only the rows of the page are read from the table; those before it are skipped in the index. */
const distantPage = <Row extends { id: number }>({
  model,
  kept,
  ...query
}: KeptQuery<Row>): Parts => ({
  list: sql`find_in_list(${model.tableName}, ${kept.list}, ${query.offset.toString()})`,
  page: sql`SELECT * FROM ${tableOf(model)} WHERE id IN (
              SELECT id FROM ${tableOf(model)} WHERE ${conditions(query)}
                AND (created_at, id) < (list.below_created_at, list.below_id)
              ORDER BY ${query.orderBy} LIMIT ${query.limit} OFFSET list.left_to_skip
            )`,
  name: "far",
});

const conditions = ({ where, from }: Pick<KeptQuery<{ id: number }>, "where" | "from">): Sql =>
  sql`${where.length > 0 ? join(where, " AND ") : sql`true`} ${from ? sql`AND ${from}` : empty}`;
