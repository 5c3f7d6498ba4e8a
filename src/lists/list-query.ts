import { DataType } from "sequelize-typescript";
import type { Readable } from "../database/connection/read-pool";
import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import type { CountedList } from "./counts/counted-lists";
import { columnsOf, tableOf, type ModelTable } from "../database/statements/columns";
import { runSql } from "../database/statements/sql";

/** A page of a model's rows. Conditions name columns without a table alias. */
export interface ListQuery<Row extends { id: number }> {
  readonly model: ModelTable<Row>;
  readonly where: readonly Sql[];
  /** The conditions of a search, which few or many of the rows meet; see {@link readSearch}. */
  readonly search?: readonly Sql[] | undefined;
  /** The conditions of the search in a form that an index supports, if that form is another. */
  readonly indexed?: readonly Sql[] | undefined;
  /** An attribute that is not read, because nobody asked for it; for each model always the same one. */
  readonly without?: string | undefined;
  /** A row of another model that is read with each row of the page. */
  readonly reference?: ReferencedRow | undefined;
  /** A further condition, on the page only: the total also counts the rows that it excludes. */
  readonly from?: Sql;
  readonly orderBy: Sql;
  /** Whether the list is read from its end; `name` does not say so. */
  readonly backwards?: boolean;
  readonly limit: number;
  readonly offset: bigint;
  /** Whether to count all rows. */
  readonly counted: boolean;
  /** Ends the statement when nobody waits for the list any more. */
  readonly signal?: AbortSignal | undefined;
  /** A name for the conditions and the order, if the list is read often; see {@link runSql}. */
  readonly name?: string | undefined;
  /** The database's name for this list, if it stores the total and positions (counts/counted-lists.ts). */
  readonly storedCounts?: CountedList | undefined;
}

export interface ListPart<Row> {
  readonly rows: Row[];
  /** The number of all rows in the same snapshot; 0 if it was not counted. */
  readonly total: number;
}

/** Up to this offset, reading and skipping rows is cheaper than looking up the rows of the page by their ids. */
const NEAR = 500n;

/** The default order of every list (contract 8.4); the id breaks ties. */
export const newestFirst = sql`created_at DESC, id DESC`;

/**
 * Reads a page of a list and the number of all its rows in one statement, because two statements could see
 * different data (contract 8.3).
 */
export async function readList<Row extends { id: number }>(
  database: Readable,
  query: ListQuery<Row>,
): Promise<ListPart<Row>> {
  if (query.offset > NEAR) return readFarPage(database, query);
  const rows = await runSql<Row & { list_total: number }>(
    database,
    sql`SELECT ${selected(query)}, ${countOf(query.where, query)} AS list_total
        ${matching(query.model, conditionsOf(query))} ${pageClauses(query)}`,
    { name: nameOf(query), signal: query.signal },
  );
  if (query.reference) for (const row of rows) query.reference.parse(row);
  const [first] = rows;
  if (first) return { rows, total: first.list_total };
  // No row has the total. But if the first page has no rows, the list is empty.
  if (!query.counted || (query.offset === 0n && !query.from)) return { rows, total: 0 };
  return readFarPage(database, { ...query, name: undefined });
}

/**
 * Reads a page far from the beginning. The rows before it are skipped in the index, and only those of the page
 * are read from the table. Returns the total even if the list ends before the page.
 */
async function readFarPage<Row extends { id: number }>(
  database: Readable,
  query: ListQuery<Row>,
): Promise<ListPart<Row>> {
  const { model, orderBy } = query;
  const rows = await runSql<Row & { list_total: number }>(
    database,
    sql`SELECT list_total, ${selected(query)}
        FROM (SELECT ${countOf(query.where, query)} AS list_total) AS totals
        LEFT JOIN ${tableOf(model)} ON id = ANY(ARRAY(
          SELECT id ${matching(model, conditionsOf(query))} ${pageClauses(query)}
        ))
        ORDER BY ${orderBy}`,
    { name: nameOf(query), signal: query.signal },
  );
  return { rows: rowsOfPage<Row>(rows, query), total: rows[0]?.list_total ?? 0 };
}

/**
 * The rows of a page that was joined to its total. An empty page has one row with only the total, which is left
 * out. Parses the referenced rows.
 */
export function rowsOfPage<Row extends { id: number }>(
  rows: readonly Row[],
  { reference }: Pick<ListQuery<Row>, "reference">,
): Row[] {
  const present = rows.filter(({ id }) => (id as number | null) !== null);
  if (reference) for (const row of present) reference.parse(row);
  return present;
}

/** The name of a list's statement. Each variant has a text, and so a name, of its own. */
const nameOf = ({
  name,
  backwards,
  counted,
  from,
  offset,
  without,
}: ListQuery<{ id: number }>): string | undefined =>
  name &&
  `${name}${without ? ", bare" : ""}${backwards ? ", last" : ""}${counted ? ", counted" : ""}${from ? ", from" : ""}${offset > NEAR ? ", far" : ""}`;

/** The conditions that the rows of the page meet. */
export const conditionsOf = ({
  where,
  from,
}: {
  where: readonly Sql[];
  from?: Sql | undefined;
}): readonly Sql[] => (from ? [...where, from] : where);

/** The clauses that sort the rows and limit them to the page. */
export const pageClauses = ({ orderBy, limit, offset }: ListQuery<{ id: number }>): Sql =>
  sql`ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset.toString()}`;

/** The columns of the rows of a list. */
export const selected = ({
  model,
  without,
  reference,
}: Pick<ListQuery<{ id: number }>, "model" | "without" | "reference">) => {
  const columns = columnsOf(model, without);
  return reference ? sql`${columns}, ${reference.column}` : columns;
};

/** The rows of a model that meet all conditions, as a FROM clause. */
export const matching = (model: ModelTable<object>, conditions: readonly Sql[]): Sql =>
  sql`FROM ${tableOf(model)} ${conditions.length > 0 ? sql`WHERE ${join(conditions, " AND ")}` : empty}`;

/** The number of all rows of a list, as an expression; 0 if it is not counted. */
export const countOf = (
  where: readonly Sql[],
  { model, counted }: Pick<ListQuery<{ id: number }>, "model" | "counted">,
): Sql => (counted ? sql`(SELECT count(*)::integer ${matching(model, where)})` : sql`0`);

/** A row of another model to which the rows of a list refer, read in the statement of the list. */
export interface ReferencedRow {
  /** The column of the list's statement that holds the row as JSON. */
  readonly column: Sql;
  /** Turns the JSON of a listed row's column into the row, in place. */
  parse(listed: object): void;
}

/**
 * Reads the row of a model whose id is in the column `key`, as the column `name`. The foreign key
 * guarantees that there is such a row.
 */
export function referencedRow(
  model: ModelTable<object>,
  { key, name }: { readonly key: string; readonly name: string },
): ReferencedRow {
  const attributes = Object.entries(model.getAttributes());
  const dates = attributes.flatMap(([attribute, { type }]) =>
    type instanceof DataType.DATE ? [attribute] : [],
  );
  const pairs = attributes.map(([attribute, { field = attribute, type }]) =>
    // A JSON number would lose trailing zeros.
    raw(`'${attribute}', "${field}"${type instanceof DataType.DECIMAL ? "::text" : ""}`),
  );
  const json = sql`SELECT json_build_object(${join(pairs)}) FROM ${tableOf(model)} WHERE id = ${raw(key)}`;
  return {
    column: sql`(${json}) AS "${raw(name)}"`,
    parse: (listed) => {
      const row = (listed as Record<string, Record<string, unknown>>)[name];
      if (row) for (const date of dates) row[date] = new Date(row[date] as string);
    },
  };
}
