import type { Readable } from "../database/connection/read-pool";
import sql, { join, raw, type Sql } from "sql-template-tag";
import { tableOf, type ModelTable } from "../database/statements/columns";
import type { Snapshot } from "../database/statements/snapshot";
import { runSql } from "../database/statements/sql";
import { columnName, type Column } from "../vocabulary/columns";

/**
 * A list of a model's rows as JSON. The database writes the objects, because building very many of them here
 * would block the event loop. Decimals are texts, and times are ISO 8601 in UTC.
 */
export interface JsonRows {
  readonly model: ModelTable<object>;
  /** The columns in the object of a row, by attribute, in this order. */
  readonly columns: Readonly<Record<string, Column>>;
  readonly where: Sql;
  /** Should be the order of an index. Otherwise a long list is sorted as a whole before its first row is read. */
  readonly orderBy: Sql;
  /** A name for the statement that reads the beginning, if it runs often; see {@link runSql}. */
  readonly name?: string | undefined;
}

/** Reads the list as a JSON array in one statement; undefined if it has more than `most` rows. */
export async function shortListAsJson(
  database: Readable,
  { model, columns, where, orderBy, name }: JsonRows,
  most: number,
): Promise<string | undefined> {
  const [list] = await runSql<{ text: string; rows: number }>(
    database,
    sql`SELECT concat('[', string_agg(text, ',' ORDER BY place), ']') AS text, count(*)::integer AS rows
        FROM (
          SELECT row_number() OVER (ORDER BY ${orderBy}) AS place, ${objectOf(columns)} AS text
          FROM ${tableOf(model)} WHERE ${where}
          ORDER BY ${orderBy} LIMIT ${most + 1}
        ) AS listed`,
    { name },
  );
  return list && list.rows <= most ? list.text : undefined;
}

/** Reads the list as a JSON array in parts, each in a statement of its own; together they are the whole text. */
export async function* listAsJson(
  snapshot: Snapshot,
  { model, columns, where, orderBy }: JsonRows,
): AsyncGenerator<string> {
  // With a sort, the first part would take as long as the whole list.
  await snapshot.rows(sql`SET LOCAL enable_sort = off`);
  const parts = snapshot.batches<{ text: string }>(
    sql`SELECT ${objectOf(columns)} AS text FROM ${tableOf(model)} WHERE ${where} ORDER BY ${orderBy}`,
  );
  let before = "[";
  for await (const rows of parts) {
    yield before + rows.map(({ text }) => text).join(",");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/** The object of a row as text, as an SQL expression. */
const objectOf = (columns: Readonly<Record<string, Column>>): Sql => {
  const members = Object.entries(columns).map(
    ([name, column]) => sql`${shown(name, column)} AS ${raw(`"${name}"`)}`,
  );
  return sql`(SELECT row_to_json(shown) FROM (SELECT ${join(members)}) AS shown)::text`;
};

function shown(name: string, { holds }: Column): Sql {
  const column = raw(columnName(name));
  if (holds === "decimal") return sql`${column}::text`;
  if (holds === "time") return sql`to_char(${column} AT TIME ZONE 'UTC', ${ISO_8601})`;
  return column;
}

const ISO_8601 = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
