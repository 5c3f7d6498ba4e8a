import type { Separator } from "./separators";

/** The beginning that a spreadsheet takes for a formula: = + - @ or their full-width forms, also behind quotes. */
const FORMULA = String.raw`["']*[=+\-@＝＋－＠]`;

/** A tab or a line break, behind any number of prefixes: spreadsheets may skip it at the start of a cell. */
const SKIPPED = String.raw`'*[\t\r\n]`;

/**
 * The places where a spreadsheet may see the beginning of a cell. A spreadsheet that expects other separators than
 * the file has splits texts as well. {@link toCell} and {@link fromCell} look for the same places.
 */
const start = (prefix: string, comma: string): RegExp =>
  new RegExp(
    String.raw`(?<=^|[;\t\r\n${comma}])${prefix}(?=${FORMULA})|^${prefix}(?=${SKIPPED})`,
    "g",
  );

/** The prefix that makes a spreadsheet read a cell as text. */
const PREFIX = "'";

/** The places without and with a prefix. `comma` is a comma for files with another separator, otherwise empty. */
const placesOf = (comma: string) => ({ bare: start("", comma), prefixed: start(PREFIX, comma) });

const [withCommas, withOthers] = [placesOf(""), placesOf(",")];

const placesIn = (separator: Separator) => (separator === "," ? withCommas : withOthers);

/**
 * The cell for a text in a file with this separator. A spreadsheet takes no part of the cell for a formula.
 * {@link fromCell} restores the text, even if the text has prefixes of its own.
 */
export const toCell = (text: string, separator: Separator): string =>
  text.replace(placesIn(separator).bare, PREFIX);

/** The text of a cell. An apostrophe that does not precede a formula is part of the text. */
export const fromCell = (cell: string, separator: Separator): string =>
  cell.replace(placesIn(separator).prefixed, "");
