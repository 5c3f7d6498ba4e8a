import { hasDecimalComma } from "../decimal-comma";
import { textOf, valueIn, type Row } from "./answer-table";
import { linesOf } from "./audit-changes";
import { columnHeading, type TypedColumn } from "./columns";
import { linesOfTries } from "./delivery-tries";

/** Makes Excel read the file as UTF-8, not in the code page of the computer. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** The separator of the cells of a file. With semicolons, amounts are written 12,50. */
export type Separator = "," | ";";

/**
 * The separator that spreadsheets expect in a language.
 *
 * @param language by default the reader's
 */
export const separatorIn = (language?: string): Separator =>
  hasDecimalComma(language) ? ";" : ",";

/**
 * The places where a spreadsheet may see the beginning of a formula, also behind apostrophes and quotes. A spreadsheet
 * that expects other separators than the file has begins a cell after each of those, too.
 */
const formulas = (comma: string): RegExp =>
  new RegExp(String.raw`(?<=^|[;\t\r\n${comma}])(?=["']*[=+\-@＝＋－＠])|^(?='*[\t\r\n])`, "g");

const FORMULAS = { ",": formulas(""), ";": formulas(",") } as const;

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The first line of a file with these columns (RFC 4180). */
export const csvHeader = (columns: readonly TypedColumn[], separator: Separator): string =>
  lineOf(
    columns.map((column) => safe(columnHeading(column), separator)),
    separator,
  );

/** The line of a row. Only decimals such as 12,50, times and formulas differ from what the service sent. */
export const csvLine = (columns: readonly TypedColumn[], row: Row, separator: Separator): string =>
  lineOf(
    columns.map((column) => cellOf(column, valueIn(row, column), separator)),
    separator,
  );

const lineOf = (cells: readonly string[], separator: Separator): string =>
  `${cells.map((cell) => quoted(cell, separator)).join(separator)}\r\n`;

const quoted = (cell: string, separator: Separator): string =>
  /["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;

function cellOf({ kind }: TypedColumn, value: unknown, separator: Separator): string {
  if (value === null || value === undefined) return "";
  if (kind === "changes") return safe(linesOf(value).join("\n"), separator);
  if (kind === "tries") return safe(linesOfTries(value).join("\n"), separator);
  const text = textOf(value);
  if (kind === "number" && NUMBER.test(text)) {
    return separator === ";" ? text.replace(".", ",") : text;
  }
  return safe(kind === "time" ? instantOf(text) : text, separator);
}

/** An instant in UTC. A text that is not an instant stays as it is. */
function instantOf(text: string): string {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? text : new Date(milliseconds).toISOString();
}

/** Puts an apostrophe before formulas, so that a spreadsheet reads them as text (OWASP, CSV injection). */
const safe = (text: string, separator: Separator): string => text.replace(FORMULAS[separator], "'");
