import { entryFields, optionalFields } from "../../services/catalogue/import-export/entries";
import type { FileLine } from "../../services/catalogue/import-export/read-entry";
import type { Format } from "./format";
import { readJsonLines } from "./json-lines";
import { readCsv } from "./read-csv";
import { textLines } from "./text-lines";

/** The columns of a CSV file of the catalogue. */
export const catalogueColumns: readonly string[] = entryFields.product;

/** The lines of a file of the catalogue, as the import takes them. */
export async function* catalogueLines(
  format: Format,
  text: AsyncIterable<string>,
): AsyncGenerator<FileLine> {
  if (format === "jsonl") {
    yield* readJsonLines(textLines(text));
    return;
  }
  const columns = { all: catalogueColumns, optional: optionalFields };
  for await (const row of readCsv(columns, text)) {
    if ("reason" in row) yield row;
    else if (!isEmpty(row.cells)) yield { line: row.line, entry: entryOf(row.cells) };
  }
}

/** Of a row that was emptied, a spreadsheet leaves the commas. */
const isEmpty = (cells: ReadonlyMap<string, string>): boolean =>
  [...cells.values()].every((text) => text === "");

/** The entry of a row: an empty cell of a column that its kind does not need is left out. */
function entryOf(cells: ReadonlyMap<string, string>): object {
  const type = cells.get("type");
  const fields: readonly string[] =
    type === "category" ? entryFields.category : entryFields.product;
  const present = [...cells].filter(
    ([name, text]) => text !== "" || (fields.includes(name) && !optionalFields.includes(name)),
  );
  return Object.fromEntries(
    present.map(([name, text]) => [name, name === "isActive" ? flagOf(text) : text]),
  );
}

/** Spreadsheets write TRUE and FALSE. Any other text is left to the rules of the field. */
function flagOf(text: string): boolean | string {
  const lower = text.toLowerCase();
  return lower === "true" || lower === "false" ? lower === "true" : text;
}
