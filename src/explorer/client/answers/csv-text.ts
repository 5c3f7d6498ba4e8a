import { textOf, valueIn, type Row } from "./answer-table";
import { columnHeading, type TypedColumn } from "./columns";

/** What makes Excel read the file as UTF-8, rather than in the code page of its computer. */
export const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Where a spreadsheet would find the beginning of a formula, also behind apostrophes and quotes. One that is told of
 * other separators than commas begins a cell after each of these, too.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=["']*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/g;

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The first line of a file with these columns (RFC 4180). */
export const csvHeader = (columns: readonly TypedColumn[]): string =>
  lineOf(columns.map((column) => safe(columnHeading(column))));

/** The line of a row. Values are as the service sent them; what could be a formula is made text. */
export const csvLine = (columns: readonly TypedColumn[], row: Row): string =>
  lineOf(columns.map((column) => cellOf(column, valueIn(row, column))));

const lineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(",")}\r\n`;

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

function cellOf({ kind }: TypedColumn, value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = textOf(value);
  if (kind === "number" && NUMBER.test(text)) return text;
  if (kind === "time") return safe(instantOf(text));
  return safe(text);
}

/** An instant in UTC; what is none stays as it is. */
function instantOf(text: string): string {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? text : new Date(milliseconds).toISOString();
}

/** An apostrophe makes a spreadsheet take a cell for text (OWASP, CSV injection). */
const safe = (text: string): string => text.replace(FORMULA, "'");
