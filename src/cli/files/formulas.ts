import type { Separator } from "./separators";

/** What makes a spreadsheet take a cell for a formula: = + - @ and their full-width forms, also behind quotes. */
const FORMULA = String.raw`["']*[=+\-@＝＋－＠]`;

/** A tab or the end of a line, behind any number of prefixes: spreadsheets may skip it at the start of a cell. */
const SKIPPED = String.raw`'*[\t\r\n]`;

/**
 * Where a cell begins: a spreadsheet that is told of other separators than the file has also splits texts. The way
 * there and the way back look for the same places.
 */
const start = (prefix: string, comma: string): RegExp =>
  new RegExp(
    String.raw`(?<=^|[;\t\r\n${comma}])${prefix}(?=${FORMULA})|^${prefix}(?=${SKIPPED})`,
    "g",
  );

/** The prefix that makes a spreadsheet take a cell for text. */
const PREFIX = "'";

/** The places in a file with these separators. */
const placesOf = (comma: string) => ({ bare: start("", comma), prefixed: start(PREFIX, comma) });

const [withCommas, withOthers] = [placesOf(""), placesOf(",")];

const placesIn = (separator: Separator) => (separator === "," ? withCommas : withOthers);

/**
 * The cell of a text in a file with this separator, no part of which a spreadsheet takes for a formula.
 * {@link fromCell} is the way back, also for a text that has prefixes itself.
 */
export const toCell = (text: string, separator: Separator): string =>
  text.replace(placesIn(separator).bare, PREFIX);

/** The text of a cell; an apostrophe that is not before a formula is part of the text. */
export const fromCell = (cell: string, separator: Separator): string =>
  cell.replace(placesIn(separator).prefixed, "");
