import { stringify } from "csv-stringify/sync";
import { toCell, type Separator } from "./csv-cells";

/** CSV (RFC 4180), and JSON lines, which have one object on each line. */
export const formats = ["csv", "jsonl"] as const;

export type Format = (typeof formats)[number];

/** How a file shows its entries. */
export interface Shape<Entry extends object> extends CsvShape {
  /** The rows of an entry in CSV; by default the entry is the row. */
  readonly rowsOf?: (entry: Entry) => readonly Row[];
}

/** The text of a file of these entries. */
export function fileText<Entry extends object>(
  format: Format,
  { rowsOf = (entry) => [entry as Row], ...shape }: Shape<Entry>,
  batches: AsyncIterable<readonly Entry[]>,
): AsyncGenerator<string> {
  return format === "jsonl" ? jsonLinesText(batches) : csvText(shape, rows(batches, rowsOf));
}

async function* rows<Entry>(
  batches: AsyncIterable<readonly Entry[]>,
  rowsOf: (entry: Entry) => readonly Row[],
): AsyncGenerator<Row[]> {
  for await (const batch of batches) yield batch.flatMap(rowsOf);
}

/** A row of a file, by column. A missing column is an empty cell. */
export type Row = Readonly<Record<string, string | number | boolean | undefined>>;

/** The columns of a CSV file, and how it is written. */
interface CsvShape {
  readonly columns: readonly string[];
  /** The columns that are decimals. */
  readonly decimals?: readonly string[];
  /** Whether the file is for spreadsheets of countries with decimal commas. */
  readonly isForExcel?: boolean;
}

/** Makes Excel read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The text of a CSV file: a header, and a line for each row. */
export async function* csvText(
  { columns, decimals = [], isForExcel = false }: CsvShape,
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const separator: Separator = isForExcel ? ";" : ",";
  const options = {
    delimiter: separator,
    record_delimiter: isForExcel ? "\r\n" : "\n",
    // Quotes texts with a line break of any kind, not only the kind that ends the lines of this file.
    quote_record_delimiter: true,
  };
  const cellOf = (row: Row, column: string): string => {
    const text = String(row[column] ?? "");
    if (isForExcel && decimals.includes(column)) return text.replace(".", ",");
    return toCell(text, separator);
  };
  yield `${isForExcel ? BYTE_ORDER_MARK : ""}${stringify([columns], options)}`;
  for await (const rows of batches) {
    yield stringify(
      rows.map((row) => columns.map((column) => cellOf(row, column))),
      options,
    );
  }
}

/** The text of a file of JSON lines. */
async function* jsonLinesText(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const objects of batches) {
    yield objects.map((object) => `${JSON.stringify(object)}\n`).join("");
  }
}

/** What a JSON file has under a name: a value, or a list that comes a batch at a time. */
type Member = object | string | null | AsyncIterable<readonly object[]>;

const isList = (member: Member): member is AsyncIterable<readonly object[]> =>
  typeof member === "object" && member !== null && Symbol.asyncIterator in member;

/** The text of a file with one JSON object. Each entry of a list has a line of its own. */
export async function* jsonText(members: Readonly<Record<string, Member>>): AsyncGenerator<string> {
  let separator = "{";
  for (const [name, member] of Object.entries(members)) {
    yield `${separator}\n  ${JSON.stringify(name)}: `;
    if (isList(member)) yield* listText(member);
    else yield JSON.stringify(member);
    separator = ",";
  }
  yield "\n}\n";
}

async function* listText(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let separator = "[";
  for await (const entries of batches) {
    for (const entry of entries) {
      yield `${separator}\n    ${JSON.stringify(entry)}`;
      separator = ",";
    }
  }
  yield separator === "[" ? "[]" : "\n  ]";
}
