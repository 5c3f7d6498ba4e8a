/**
 * What makes a spreadsheet take a cell for a formula, behind any number of prefixes: = + - @, their
 * full-width forms, tab, and the ends of lines.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** The prefix that makes a spreadsheet take a cell for text. */
const PREFIX = "'";

/**
 * The cell of a text, which no spreadsheet takes for a formula. {@link fromCell} is the way back, also for
 * a text that begins with the prefix itself.
 */
export const toCell = (text: string): string => (FORMULA.test(text) ? PREFIX + text : text);

/** The text of a cell; an apostrophe that is not before a formula is part of the text. */
export const fromCell = (cell: string): string =>
  cell.startsWith(PREFIX) && FORMULA.test(cell) ? cell.slice(1) : cell;
