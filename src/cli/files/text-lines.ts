/** The most characters of a line; the longest product has fewer, however it is escaped. */
export const LONGEST_LINE = 128 * 1024;

/** A line of a file, without its end; the text is left out if the line is longer than any can be. */
export interface SourceLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string | undefined;
}

/** Splits a text into lines. Of a line that is too long, nothing is kept. */
export async function* textLines(parts: AsyncIterable<string>): AsyncGenerator<SourceLine> {
  let [line, rest, isTooLong] = [1, "", false];
  for await (const part of parts) {
    let start = 0;
    for (let end = part.indexOf("\n"); end !== -1; end = part.indexOf("\n", start)) {
      const text = rest + part.slice(start, end);
      yield { line, text: isTooLong || text.length > LONGEST_LINE ? undefined : text };
      [line, rest, isTooLong, start] = [line + 1, "", false, end + 1];
    }
    isTooLong ||= rest.length + part.length - start > LONGEST_LINE;
    rest = isTooLong ? "" : rest + part.slice(start);
  }
  if (isTooLong || rest !== "") yield { line, text: isTooLong ? undefined : rest };
}
