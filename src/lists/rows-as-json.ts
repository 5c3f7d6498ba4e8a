import type { Sequelize } from "sequelize-typescript";
import sql, { join, raw, type Sql } from "sql-template-tag";
import { tableOf, type ModelTable } from "../database/statements/model-table";
import { runSql } from "../database/statements/sql";
import { columnName, type Column } from "../vocabulary/columns";

/** Some rows of a list: their JSON objects, separated by commas, and the length of the text in UTF-8. */
export interface JsonPart {
  readonly text: string;
  readonly bytes: number;
}

/** Receives a list in parts, and adds the commas between the parts and the brackets around them. */
export type PartsReceiver = (parts: readonly JsonPart[]) => Promise<void>;

/** A list of a model's rows as JSON. */
export interface JsonRows {
  readonly model: ModelTable<object>;
  /** What the object of a row has, by attribute and in this order. */
  readonly columns: Readonly<Record<string, Column>>;
  readonly where: Sql;
  readonly orderBy: Sql;
  /** Rows in a part. */
  readonly partSize: number;
  /** The most rows; all of them if left out. */
  readonly most?: number | undefined;
  /** Seconds that the database pauses after each part. */
  readonly pause: number;
  /** Ends the statement when nobody waits for the list any more. */
  readonly signal?: AbortSignal | undefined;
  /** A name for the statement, if it runs often; see {@link runSql}. */
  readonly name?: string | undefined;
}

/**
 * Reads a list in one statement. The database writes the JSON, because building very many objects here would
 * block the event loop. Decimals are texts, and times are ISO 8601 in UTC.
 */
export const rowsAsJson = (
  sequelize: Sequelize,
  { model, columns, where, orderBy, partSize, most, pause, signal, name }: JsonRows,
): Promise<JsonPart[]> =>
  runSql<JsonPart>(
    sequelize,
    sql`SELECT text, octet_length(convert_to(text, 'UTF8')) AS bytes,
               pg_sleep(${pause}::float8)::text AS pause
        FROM (
          SELECT part_number, string_agg(row_to_json(shown)::text, ',' ORDER BY place) AS text
          FROM (
            SELECT *, (place - 1) / ${partSize}::integer AS part_number
            FROM (
              SELECT *, row_number() OVER (ORDER BY ${orderBy}) AS place
              FROM ${tableOf(model)} WHERE ${where}
              ORDER BY ${orderBy} LIMIT ${most ?? null}::integer
            ) AS placed
          ) AS listed
          CROSS JOIN LATERAL (SELECT ${shownColumns(columns)}) AS shown
          GROUP BY part_number
        ) AS parts
        ORDER BY part_number`,
    { signal, name },
  );

const shownColumns = (columns: Readonly<Record<string, Column>>): Sql =>
  join(
    Object.entries(columns).map(
      ([name, column]) => sql`${shown(name, column)} AS ${raw(`"${name}"`)}`,
    ),
  );

function shown(name: string, { holds }: Column): Sql {
  const column = raw(columnName(name));
  if (holds === "decimal") return sql`${column}::text`;
  if (holds === "time") return sql`to_char(${column} AT TIME ZONE 'UTC', ${ISO_8601})`;
  return column;
}

const ISO_8601 = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
