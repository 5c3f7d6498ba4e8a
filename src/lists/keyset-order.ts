import sql, { join, raw, type Sql } from "sql-template-tag";
import { isStorableTime } from "../vocabulary/times";

/** What a list can be sorted by: one or more values of its rows. Each value breaks the ties of those before it. */
export interface SortKey<Row> {
  /** The values as expressions of columns. */
  readonly by: readonly Sql[];
  /** The row's values, as a text for cursors. */
  textOf(row: Row): string;
  /** Reads the values from such a text, as SQL expressions; undefined if it is malformed. */
  valuesIn(text: string): readonly Sql[] | undefined;
}

/** The order of a list. The id breaks ties, in the same direction. */
export interface KeysetOrder<Row> {
  /** The beginning of all its cursors, by which cursors of other orders are refused. */
  readonly prefix: string;
  readonly key: SortKey<Row>;
  readonly direction: "ASC" | "DESC";
  /** The terms of its ORDER BY clause. */
  readonly terms: Sql;
}

type OrderParts<Row> = Omit<KeysetOrder<Row>, "terms">;

/** Makes an order. Those that never change are made once, not for each list. */
export const keysetOrder = <Row>({
  prefix,
  key,
  direction,
}: OrderParts<Row>): KeysetOrder<Row> => ({
  ...{ prefix, key, direction },
  terms: join(
    [...key.by, sql`id`].map((each) => sql`${each} ${raw(direction)}`),
    ", ",
  ),
});

/** The place of an entry in an order. The entry may have been deleted since. */
export interface Position {
  readonly values: readonly Sql[];
  readonly id: number;
}

/** A time of rows, in milliseconds. */
export const timeOf = <Row>(column: Sql, of: (row: Row) => Date): SortKey<Row> => ({
  by: [column],
  textOf: (row) => String(of(row).getTime()),
  valuesIn: (text) => {
    const time = new Date(/^-?[0-9]{1,15}$/.test(text) ? Number(text) : NaN);
    return isStorableTime(time) ? [sql`${time}::timestamptz`] : undefined;
  },
});

/** The time of creation. */
export const byTime: SortKey<{ readonly createdAt: Date }> = timeOf(
  sql`created_at`,
  ({ createdAt }) => createdAt,
);

/** The default order of every list (contract 8.4). Its cursors have no prefix. */
export const newest = keysetOrder({ prefix: "", key: byTime, direction: "DESC" });

/** The same order, from its end to its beginning. */
export const reversed = <Row>(order: KeysetOrder<Row>): KeysetOrder<Row> =>
  keysetOrder({ ...order, direction: order.direction === "ASC" ? "DESC" : "ASC" });

/** The condition that a row comes later in the order than the position. */
export const isAfter = ({ key, direction }: KeysetOrder<never>, { values, id }: Position): Sql =>
  sql`(${join(key.by, ", ")}, id) ${raw(direction === "ASC" ? ">" : "<")} (${join(values, ", ")}, ${id}::integer)`;
