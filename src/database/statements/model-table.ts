import type { Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql, { join, raw, type Sql } from "sql-template-tag";
import { origin, runSql } from "./sql";
import { types } from "pg";
import type { Readable } from "../connection/readable";

/** The parts of a model that handwritten SQL needs. Every repository has them; `Row` is a plain row. */
export interface ModelTable<Row extends object> {
  new (): { readonly _attributes: Row };
  readonly tableName: string;
  getAttributes(): Readonly<Record<string, { readonly field?: string; readonly type: unknown }>>;
}

export const tableOf = ({ tableName }: ModelTable<object>): Sql => raw(tableName);

const columnLists = new WeakMap<ModelTable<object>, Map<string | undefined, Sql>>();

/** The columns of a model, named like its attributes, such as `"is_active" AS "isActive"`; all or all but one. */
export function columnsOf(model: ModelTable<object>, without?: string): Sql {
  const lists = columnLists.get(model) ?? new Map<string | undefined, Sql>();
  columnLists.set(model, lists);
  const known = lists.get(without);
  if (known) return known;
  const columns = Object.entries(model.getAttributes())
    .filter(([name]) => name !== without)
    .map(([name, { field = name }]) => `"${field}" AS "${name}"`);
  const list = raw(columns.join(", "));
  lists.set(without, list);
  return list;
}

/** A selection of a model's rows. */
interface RowSelection {
  /** What follows the table's name, such as a WHERE clause. */
  readonly rest: Sql;
  /** The name under which the statement is prepared, if it runs often; see {@link runSql}. */
  readonly name?: string;
}

/** The selected rows of a model, as plain objects with its attributes. */
export const selectRows = <Row extends object>(
  database: Readable,
  model: ModelTable<Row>,
  { rest, name }: RowSelection,
): Promise<Row[]> =>
  runSql<Row>(database, sql`SELECT ${columnsOf(model)} FROM ${tableOf(model)} ${rest}`, { name });

/** The rows that have one of these values in a column. The statement runs often, so it is prepared by name. */
export const rowsBy = <Row extends object>(
  database: Readable,
  model: ModelTable<Row>,
  column: "id" | "slug",
  values: readonly (number | string)[],
): Promise<Row[]> =>
  selectRows(database, model, {
    rest: sql`WHERE ${raw(column)} = ANY(${values})`,
    name: `${model.tableName} by ${column}`,
  });

/** Values of a row, by attribute. Those that are undefined are left to the database. */
type Values<Row> = { readonly [Name in keyof Row]?: Row[Name] | undefined };

interface Within {
  /** In which transaction a row is changed; in one of its own if this is left out. */
  readonly transaction?: Transaction;
  /** The name under which the statement is prepared, if it runs often; see {@link runSql}. */
  readonly name?: string | undefined;
}

// Each of the following is one statement, which also says where the change comes from.

/** Inserts a row and returns it. The times of its creation and last change are now, unless they are given. */
export async function insertRow<Row extends object>(
  sequelize: Sequelize,
  model: ModelTable<Row>,
  values: Values<Row>,
  within: Within = {},
): Promise<Row> {
  const now = new Date();
  const given = assigned(model, { ...timesOf(model, ["createdAt", "updatedAt"], now), ...values });
  const columns = join(given.map(({ column }) => column));
  const [row] = await runSql<Row>(
    sequelize,
    sql`INSERT INTO ${tableOf(model)} (${columns}) SELECT ${join(given.map(({ value }) => value))}
        FROM ${origin()} RETURNING ${columnsOf(model)}`,
    within,
  );
  if (!row) throw new Error("An INSERT of a row returns it");
  return row;
}

/** Changes the row that meets all conditions, and returns it; undefined if there is none. */
export async function updateRow<Row extends object>(
  sequelize: Sequelize,
  model: ModelTable<Row>,
  where: readonly Sql[],
  values: Values<Row>,
  within: Within = {},
): Promise<Row | undefined> {
  const given = assigned(model, { ...timesOf(model, ["updatedAt"], new Date()), ...values });
  const changes = join(given.map(({ column, value }) => sql`${column} = ${value}`));
  const [row] = await runSql<Row>(
    sequelize,
    sql`UPDATE ${tableOf(model)} SET ${changes} FROM ${origin()}
        WHERE ${join(where, " AND ")} RETURNING ${columnsOf(model)}`,
    within,
  );
  return row;
}

/** Deletes the row that meets all conditions, and returns it; undefined if there is none. */
export async function deleteRow<Row extends object>(
  sequelize: Sequelize,
  model: ModelTable<Row>,
  where: readonly Sql[],
): Promise<Row | undefined> {
  const [row] = await runSql<Row>(
    sequelize,
    sql`DELETE FROM ${tableOf(model)} USING ${origin()}
        WHERE ${join(where, " AND ")} RETURNING ${columnsOf(model)}`,
  );
  return row;
}

/** The columns of the given values. */
const assigned = (
  model: ModelTable<object>,
  values: Readonly<Record<string, unknown>>,
): { readonly column: Sql; readonly value: Sql }[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined
      ? []
      : { column: raw(`"${model.getAttributes()[name]?.field ?? name}"`), value: sql`${value}` },
  );

/** The time for each of these attributes that the model has. */
const timesOf = (
  model: ModelTable<object>,
  names: readonly string[],
  time: Date,
): Readonly<Record<string, Date>> =>
  Object.fromEntries(
    names.filter((name) => name in model.getAttributes()).map((name) => [name, time]),
  );

/** Reads a timestamp in any form, but takes ten times as long. Long lists would notice that. */
const parseAnyForm = types.getTypeParser(types.builtins.TIMESTAMPTZ) as (
  text: string,
) => Date | number;

/** `2026-11-22 10:31:37.123456+00`, as every session of the service writes times. */
const ZONE = "+00";
const SECONDS_END = 19;

const ZERO = 48;
const digit = (text: string, at: number): number => text.charCodeAt(at) - ZERO;
const twoDigits = (text: string, at: number): number => 10 * digit(text, at) + digit(text, at + 1);

/** Reads a `timestamptz` as PostgreSQL writes it, to the millisecond; infinity becomes a number. */
export const parseTimestamp = (text: string): Date | number =>
  parseIsoInUtc(text) ?? parseAnyForm(text);

/**
 * Reads a time as a session with `DateStyle` ISO writes it in UTC. Undefined for times in another form: before
 * the year 100, after the year 9999, and infinity.
 */
function parseIsoInUtc(text: string): Date | undefined {
  const end = text.length - ZONE.length;
  if (text[4] !== "-" || !text.endsWith(ZONE)) return undefined;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  if (!(year >= 100)) return undefined; // Date.UTC takes 99 for 1999
  let milliseconds = 0;
  for (let at = SECONDS_END + 1, unit = 100; at < end && unit >= 1; at += 1, unit /= 10) {
    milliseconds += unit * digit(text, at);
  }
  return new Date(
    Date.UTC(
      year,
      twoDigits(text, 5) - 1,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
      milliseconds,
    ),
  );
}
