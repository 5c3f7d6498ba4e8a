/** The most characters of a line. Even the longest product, with every character escaped, has fewer. */
export const LONGEST_LINE = 128 * 1024;

/** A line of a file, without its line break. The text is undefined if the line is too long. */
export interface SourceLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string | undefined;
}

/** Splits a text into lines. Drops the text of lines that are too long. */
export async function* textLines(parts: AsyncIterable<string>): AsyncGenerator<SourceLine> {
  let line = 1;
  let rest: string | undefined = "";
  for await (const part of parts) {
    let start = 0;
    for (let end = part.indexOf("\n"); end !== -1; end = part.indexOf("\n", start)) {
      yield { line, text: joined(rest, part.slice(start, end)) };
      [line, rest, start] = [line + 1, "", end + 1];
    }
    rest = joined(rest, part.slice(start));
  }
  if (rest !== "") yield { line, text: rest };
}

const joined = (text: string | undefined, more: string): string | undefined =>
  text === undefined || text.length + more.length > LONGEST_LINE ? undefined : text + more;
