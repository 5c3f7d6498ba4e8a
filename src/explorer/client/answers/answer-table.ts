import { valueOf, type JsonObject } from "../objects";

/** An object of an answer, unchanged, by response key. */
export type Row = JsonObject;

/** A list in an answer; or an object in it, as a table with one row. */
export interface AnswerTable {
  /** The response key of the field that the table answers. */
  readonly title: string;
  /** The object type of its rows. */
  readonly typeName: string;
  /**
   * Where the rows are in the answer's `data`: the response keys that lead to a list or an object. A connection's
   * path leads to its edges; the rows are their nodes.
   */
  readonly path: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export interface Column {
  /** The response keys that lead to the value in a row, at most two: `["category", "name"]`. */
  readonly path: readonly string[];
  /** The fields that these keys stand for. An alias has another key than its field. */
  readonly fields: readonly string[];
}

/** The value of a row in a column; null if the object that would have it is absent. */
export function valueIn(row: Row, { path }: Pick<Column, "path">): unknown {
  let value: unknown = row;
  for (const key of path) value = valueOf(value, key);
  return value ?? null;
}

/** Identifies a row in its table: by type and id if the id was selected, otherwise by its place. */
export function keyOf(table: AnswerTable, row: Row, index: number): string {
  const id = idOf(table, row);
  return id === undefined ? `row ${index}` : `${table.typeName} ${id}`;
}

/** The keys of all rows. An object that is in a list twice gets two keys. */
export function keysOf(table: AnswerTable): readonly string[] {
  const keys = new Set<string>();
  for (const [index, row] of table.rows.entries()) {
    const key = keyOf(table, row, index);
    keys.add(keys.has(key) ? `${key}, row ${index}` : key);
  }
  return [...keys];
}

/** The id of a row; undefined if it was not selected. */
export function idOf({ columns }: AnswerTable, row: Row): string | undefined {
  const column = columns.find(({ fields }) => fields.length === 1 && fields[0] === "id");
  const id = column && valueIn(row, column);
  return typeof id === "number" || typeof id === "string" ? String(id) : undefined;
}

/** A value as text: a string as it is, any other value as JSON. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);
