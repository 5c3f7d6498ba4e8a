import sql, { raw, type Sql } from "sql-template-tag";
import { isStorableId } from "../vocabulary/ids";
import { isStorableTime } from "../vocabulary/times";

/** A value of its rows by which a list can be sorted. */
export interface SortKey<Row> {
  /** The value as an expression of columns. */
  readonly by: Sql;
  /** The row's value, as a text for cursors. */
  textOf(row: Row): string;
  /** The value that a cursor has as this text, as an SQL expression; undefined if it is no such value. */
  valueIn(text: string): Sql | undefined;
}

/** The order of a list. The id breaks ties, in the same direction. */
export interface KeysetOrder<Row> {
  /** What its cursors begin with, so that those of other orders are not taken for them. */
  readonly prefix: string;
  readonly key: SortKey<Row>;
  readonly direction: "ASC" | "DESC";
}

/** A place in an order: that of an entry which may no longer be there. */
export interface Position {
  readonly value: Sql;
  readonly id: number;
}

/** The time of creation, in milliseconds. */
export const byTime: SortKey<{ readonly createdAt: Date }> = {
  by: sql`created_at`,
  textOf: ({ createdAt }) => String(createdAt.getTime()),
  valueIn: (text) => {
    const time = new Date(/^-?[0-9]{1,15}$/.test(text) ? Number(text) : NaN);
    return isStorableTime(time) ? sql`${time}::timestamptz` : undefined;
  },
};

/** The default order of every list (contract 8.4). Its cursors have no prefix. */
export const newest: KeysetOrder<{ readonly createdAt: Date }> = {
  prefix: "",
  key: byTime,
  direction: "DESC",
};

/** The same order, from its end to its beginning. */
export const reversed = <Row>(order: KeysetOrder<Row>): KeysetOrder<Row> => ({
  ...order,
  direction: order.direction === "ASC" ? "DESC" : "ASC",
});

/** The terms of an ORDER BY clause. */
export const orderBy = ({ key, direction }: KeysetOrder<never>): Sql =>
  sql`${key.by} ${raw(direction)}, id ${raw(direction)}`;

/** The condition that a row comes later in the order than the position. */
export const isAfter = ({ key, direction }: KeysetOrder<never>, { value, id }: Position): Sql =>
  sql`(${key.by}, id) ${raw(direction === "ASC" ? ">" : "<")} (${value}, ${id}::integer)`;

/** An opaque text that stands for the position of an entry. */
export const encodeCursor = <Row extends { id: number }>(
  { prefix, key }: KeysetOrder<Row>,
  row: Row,
): string => Buffer.from(`${prefix}${key.textOf(row)}:${row.id}`).toString("base64url");

/** The position that a cursor of this order stands for; undefined for any other text. */
export function decodeCursor(
  { prefix, key }: KeysetOrder<never>,
  cursor: string,
): Position | undefined {
  const text = Buffer.from(cursor, "base64url").toString();
  const end = text.lastIndexOf(":");
  const digits = text.slice(end + 1);
  const id = /^[0-9]{1,10}$/.test(digits) ? Number(digits) : NaN;
  if (end < prefix.length || !text.startsWith(prefix) || !isStorableId(id)) return undefined;
  const value = key.valueIn(text.slice(prefix.length, end));
  return value && { value, id };
}
