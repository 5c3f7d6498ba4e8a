/** What makes a spreadsheet take a cell for a formula: = + - @ and their full-width forms, also behind quotes. */
const FORMULA = String.raw`["']*[=+\-@＝＋－＠]`;

/** A tab or the end of a line, behind any number of prefixes: spreadsheets may skip it at the start of a cell. */
const SKIPPED = String.raw`'*[\t\r\n]`;

/**
 * Where a cell begins: a spreadsheet that is told of other separators than commas also splits texts. The way there
 * and the way back look for the same places.
 */
const start = (prefix: string): RegExp =>
  new RegExp(String.raw`(?<=^|[;\t\r\n])${prefix}(?=${FORMULA})|^${prefix}(?=${SKIPPED})`, "g");

/** The prefix that makes a spreadsheet take a cell for text. */
const PREFIX = "'";

const [BARE, PREFIXED] = [start(""), start(PREFIX)];

/**
 * The cell of a text, no part of which a spreadsheet takes for a formula. {@link fromCell} is the way back, also for
 * a text that has prefixes itself.
 */
export const toCell = (text: string): string => text.replace(BARE, PREFIX);

/** The text of a cell; an apostrophe that is not before a formula is part of the text. */
export const fromCell = (cell: string): string => cell.replace(PREFIXED, "");
