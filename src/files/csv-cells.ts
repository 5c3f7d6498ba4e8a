import { LONGEST_LINE } from "./text";

/** The separators of CSV cells, by their names in messages. */
const separators = { commas: ",", semicolons: ";", tabs: "\t" } as const;

export type Separator = (typeof separators)[keyof typeof separators];

/** The name of a separator in messages, in the plural. */
export const namesOf = (separator: Separator): string =>
  Object.entries(separators).find(([, each]) => each === separator)?.[0] ?? "";

/** Where decimals have a comma, spreadsheets separate cells by something else. */
export const hasDecimalComma = (separator: Separator): boolean => separator !== ",";

/**
 * The separator of a file; `part` is its first part, which has the line with the columns. It is the separator
 * that gives the most known names; of several, the one that gives the most cells.
 */
export function separatorOf(part: string, names: readonly string[]): Separator {
  const [header = ""] = withoutBlankLines(part).split("\n", 1);
  const gives = (separator: Separator): number[] => {
    const cells = header.trimEnd().split(separator);
    const known = cells.filter((cell) => names.includes(unquoted(cell)));
    return [known.length, cells.length];
  };
  return Object.values(separators).reduce((best, other) => {
    const [known = 0, cells = 0] = gives(best);
    const [otherKnown = 0, otherCells = 0] = gives(other);
    return otherKnown > known || (otherKnown === known && otherCells > cells) ? other : best;
  });
}

const unquoted = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1) : cell);

const withoutBlankLines = (text: string): string => text.replace(/^[\r\n]+/, "");

/** The same text, with a first part that contains the first line that is not blank, unless that is too long. */
export async function* fromWholeHeader(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string | undefined = "";
  for await (const part of parts) {
    if (begun === undefined) {
      yield part;
      continue;
    }
    begun += part;
    if (!withoutBlankLines(begun).includes("\n") && begun.length <= LONGEST_LINE) continue;
    yield begun;
    begun = undefined;
  }
  if (begun) yield begun;
}

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
