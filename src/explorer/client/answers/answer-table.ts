/** An object of an answer as it came, by response key. */
export type Row = Readonly<Record<string, unknown>>;

/** A list of an answer, or an object of it as a table with one row. */
export interface AnswerTable {
  /** The response key of the field that the table answers. */
  readonly title: string;
  /** The object type of its rows. */
  readonly typeName: string;
  /** Where its rows are in the answer's `data`: the response keys of a list, or of an object. */
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
