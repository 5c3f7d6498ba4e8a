import { stringify } from "csv-stringify/sync";
import { toCell } from "./formulas";
import type { Separator } from "./separators";

/** A row of a file, by column. A missing column is an empty cell. */
export type Row = Readonly<Record<string, string | number | boolean | undefined>>;

/** The columns of a CSV file, and how it is written. */
export interface CsvShape {
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
