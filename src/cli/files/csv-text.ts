import { stringify } from "csv-stringify/sync";
import { toCell } from "./formulas";

/** A row of a file, by column. What is left out is an empty cell. */
export type Row = Readonly<Record<string, string | number | boolean | undefined>>;

/** The text of a CSV file with these columns: a header, and a line for each row. */
export async function* csvText(
  columns: readonly string[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield stringify([columns]);
  for await (const rows of batches) {
    yield stringify(rows.map((row) => columns.map((column) => toCell(String(row[column] ?? "")))));
  }
}
