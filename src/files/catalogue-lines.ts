import type { Format } from "./file-text";
import {
  decimalFields,
  entryFields,
  optionalFields,
} from "../services/catalogue/import-export/entries";
import type { FileEntry, FileLine } from "../services/catalogue/import-export/read-entry";
import { readCsv, type CsvCells } from "./read-csv";
import { hasDecimalComma } from "./csv-cells";
import { quoted } from "./report";
import { textLines, type SourceLine } from "./text";

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
    else if (!isEmpty(row.cells)) yield { line: row.line, ...entryOf(row) };
  }
}

/** Whether all cells are empty: a spreadsheet writes only the separators of a row that was emptied. */
const isEmpty = (cells: ReadonlyMap<string, string>): boolean =>
  [...cells.values()].every((text) => text === "");

/** The entry of a row. Leaves out empty cells that entries of its type may lack. */
function entryOf(row: CsvCells): Omit<FileEntry, "line"> | { readonly reason: string } {
  const { cells, separator } = row;
  const fields = cells.get("type") === "category" ? entryFields.category : entryFields.product;
  const entry: Record<string, unknown> = {};
  for (const [name, text] of cells) {
    const isOfItsKind = fields.includes(name);
    if (text === "" && (!isOfItsKind || optionalFields.includes(name))) continue;
    const isDecimal = decimalFields.includes(name);
    const reason = isDecimal && isOfItsKind ? ambiguity(text) : undefined;
    if (reason !== undefined) return { reason: `${name} ${reason}` };
    if (name === "isActive") entry[name] = FLAGS.get(text.toLowerCase()) ?? text;
    else entry[name] = isDecimal && hasDecimalComma(separator) ? text.replace(",", ".") : text;
  }
  return { entry, explain: (field, message) => explained(field, message, row) };
}

/** What spreadsheets and people write for true and false. The field's rules refuse any other text. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "1", "wahr", "vrai"].map((text) => [text, true] as const),
  ...["false", "no", "0", "falsch", "faux"].map((text) => [text, false] as const),
]);

/** The message about a field. Quotes the text of the cell where the file may write a value in its own form. */
function explained(field: string, message: string, { cells, separator }: CsvCells): string {
  const text = cells.get(field) ?? "";
  if (field === "") return `has ${quoted(text)} in a column without a name`;
  if (text === "" || !message.startsWith(`${field} must`)) return message;
  if (field === "isActive")
    return `isActive ${quoted(text)} must be one of ${[...FLAGS.keys()].join(", ")}`;
  if (!decimalFields.includes(field)) return message;
  if (!hasDecimalComma(separator) && DECIMAL_COMMA.test(text)) {
    return `${field} ${quoted(text)} has a decimal comma: write ${text.replace(",", ".")}, or separate the cells by semicolons`;
  }
  return `${field} ${quoted(text)}${message.slice(field.length)}`;
}

const DECIMAL_COMMA = /^[0-9]{1,8},[0-9]{1,2}$/;

/** Three digits after a point or comma are decimals in one country, and thousands in another. */
function ambiguity(text: string): string | undefined {
  const [, whole, digits] = /^([0-9]{1,8})[.,]([0-9]{3})$/.exec(text) ?? [];
  if (whole === undefined || digits === undefined) return undefined;
  return `${text} could mean ${whole}${digits} or ${whole}.${digits}: write two decimals, or none`;
}

/** A line of a file: an object, or the reason why the line is not an object. */
type ObjectLine =
  | { readonly line: number; readonly entry: object }
  | { readonly line: number; readonly reason: string };

/** The objects of a file of JSON lines. Blank lines are left out. */
async function* readJsonLines(lines: AsyncIterable<SourceLine>): AsyncGenerator<ObjectLine> {
  for await (const { line, text } of lines) {
    if (text === undefined) yield { line, reason: "is too long" };
    else if (text.trim() !== "") yield { line, ...objectOf(text) };
  }
}

function objectOf(text: string): { readonly entry: object } | { readonly reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: "is not valid JSON" };
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { entry: value }
    : { reason: "is not a JSON object" };
}

/** Entries in a batch: enough to be fast, and few enough to need little memory. */
const MOST = 1_000;

/** Collects entries in batches. */
export async function* inBatches<T>(entries: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const entry of entries) {
    batch.push(entry);
    if (batch.length < MOST) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
