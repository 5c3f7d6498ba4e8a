import { LONGEST_LINE } from "./text-lines";

/** What separates the cells of CSV, by what it is called. */
const separators = { commas: ",", semicolons: ";", tabs: "\t" } as const;

export type Separator = (typeof separators)[keyof typeof separators];

/** What a separator is called, of which there are several. */
export const namesOf = (separator: Separator): string =>
  Object.entries(separators).find(([, each]) => each === separator)?.[0] ?? "";

/** A spreadsheet takes another separator than a comma where it has the comma for decimals. */
export const hasDecimalComma = (separator: Separator): boolean => separator !== ",";

/**
 * The separator of a file whose first part has the line with the columns: the one that gives the most of
 * their names; of several, the one that gives the most cells.
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

/** The same text, whose first part goes to the end of the first line that is not blank, if that can be one. */
export async function* fromWholeHeader(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string | undefined = "";
  let isBlank = true;
  for await (const part of parts) {
    if (begun === undefined) {
      yield part;
      continue;
    }
    begun += part;
    const rest: string = isBlank ? withoutBlankLines(part) : part;
    isBlank = rest === "";
    if (!rest.includes("\n") && begun.length <= LONGEST_LINE) continue;
    yield begun;
    begun = undefined;
  }
  if (begun) yield begun;
}
