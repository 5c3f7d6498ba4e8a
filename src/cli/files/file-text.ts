import { csvText, type CsvShape, type Row } from "./csv-text";
import type { Format } from "./format";
import { jsonLinesText } from "./json-lines";

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
