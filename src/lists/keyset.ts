import sql, { join, raw, type Sql } from "sql-template-tag";
import type { ListQuery } from "./list-query";
import { invalidInput } from "../vocabulary/errors";
import { invalid } from "../vocabulary/reasons";
import { isStorableId } from "../vocabulary/ids";
import type { Lists } from "./lists";
import { pageOf, pageRequest, partOf, type Page, type PageRequest } from "./pagination";
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
interface Position {
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
const reversed = <Row>(order: KeysetOrder<Row>): KeysetOrder<Row> =>
  keysetOrder({ ...order, direction: order.direction === "ASC" ? "DESC" : "ASC" });

/** The condition that a row comes later in the order than the position. */
const isAfter = ({ key, direction }: KeysetOrder<never>, { values, id }: Position): Sql =>
  sql`(${join(key.by, ", ")}, id) ${raw(direction === "ASC" ? ">" : "<")} (${join(values, ", ")}, ${id}::integer)`;

/** The arguments of a connection; `null` counts as left out. */
export interface KeysetArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/** The part of a list that a client wants from a connection. */
export interface KeysetRequest {
  /** The most entries. */
  readonly size: number;
  /** Whether these are the last entries before the cursor, instead of the first ones after it. */
  readonly backwards: boolean;
  readonly cursor: string | undefined;
}

/** A page of keyset pagination (Relay's Cursor Connections). New entries in the list do not shift it. */
export interface KeysetPage<T> {
  readonly edges: { readonly cursor: string; readonly node: T }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** 0 if it was not requested. */
  readonly totalCount: number;
}

/**
 * Checks the arguments of a connection: `first` and `after`, or `last` and `before`. The sizes have the
 * bounds and the default of a page size.
 *
 * @throws DomainError INVALID_INPUT
 */
export function keysetRequest({ first, after, last, before }: KeysetArguments): KeysetRequest {
  const isGiven = (...values: unknown[]): boolean => values.some((each) => (each ?? null) !== null);
  const backwards = isGiven(last, before);
  if (backwards && isGiven(first, after)) {
    throw invalidInput([invalid("first and after can't be combined with last and before")]);
  }
  const [given, name] = backwards ? [last, "last"] : [first, "first"];
  const { pageSize: size } = pageRequest(1, given ?? undefined, name);
  return { size, backwards, cursor: (backwards ? before : after) ?? undefined };
}

/** A list without an order and a part, which {@link readPage} and {@link readKeysetPage} add. */
type Listed<Row extends { id: number }> = Omit<
  ListQuery<Row>,
  "from" | "orderBy" | "reversedBy" | "backwards" | "limit" | "offset"
>;

/**
 * Reads a page of a list in this order, by its number; one in the second half from the end of the list. `cost` is the
 * cost of finding the entries, in the unit of `LIST_COSTS`.
 */
export async function readPage<Row extends { id: number }>(
  lists: Lists,
  order: KeysetOrder<Row>,
  request: PageRequest,
  list: Listed<Row>,
  cost = 0,
): Promise<Page<Row>> {
  const ways = { orderBy: order.terms, reversedBy: reversed(order).terms };
  const query: ListQuery<Row> = { ...list, ...ways, ...partOf(request) };
  return pageOf(request, await lists.read(query, cost));
}

/**
 * Reads a page of a list in this order. It reads one more entry than requested, to see if the list goes on. On
 * the side where the cursor is, there is at least the cursor's entry. `cost` as in {@link readPage}.
 *
 * @throws DomainError INVALID_INPUT if the cursor is not one of this order
 */
export async function readKeysetPage<Row extends { id: number }>(
  lists: Lists,
  order: KeysetOrder<Row>,
  { size, backwards, cursor }: KeysetRequest,
  list: Listed<Row>,
  cost = 0,
): Promise<KeysetPage<Row>> {
  const way = backwards ? reversed(order) : order;
  const position = cursor === undefined ? undefined : decodeCursor(order, cursor);
  if (cursor !== undefined && !position) {
    const name = backwards ? "before" : "after";
    throw invalidInput([invalid(`${name} must be a cursor of this connection`, name)]);
  }
  const query: ListQuery<Row> = {
    ...list,
    backwards,
    ...(position && { from: isAfter(way, position) }),
    orderBy: way.terms,
    limit: size + 1,
    offset: 0n,
  };
  const { rows, total } = await lists.read(query, cost);
  const page = rows.slice(0, size);
  if (backwards) page.reverse();
  const [goesOn, comesFrom] = [rows.length > size, cursor !== undefined];
  return {
    edges: page.map((node) => ({ cursor: encodeCursor(order, node), node })),
    hasNextPage: backwards ? comesFrom : goesOn,
    hasPreviousPage: backwards ? goesOn : comesFrom,
    totalCount: total,
  };
}

/** An opaque text that stands for the position of an entry. */
const encodeCursor = <Row extends { id: number }>(
  { prefix, key }: KeysetOrder<Row>,
  row: Row,
): string => Buffer.from(`${prefix}${key.textOf(row)}:${row.id}`).toString("base64url");

/** The position that a cursor of this order stands for; undefined for any other text. */
function decodeCursor({ prefix, key }: KeysetOrder<never>, cursor: string): Position | undefined {
  const text = Buffer.from(cursor, "base64url").toString();
  const end = text.lastIndexOf(":");
  const digits = text.slice(end + 1);
  const id = /^[0-9]{1,10}$/.test(digits) ? Number(digits) : NaN;
  if (end < prefix.length || !text.startsWith(prefix) || !isStorableId(id)) return undefined;
  const values = key.valuesIn(text.slice(prefix.length, end));
  return values && { values, id };
}
