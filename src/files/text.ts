import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { OperatorError } from "../vocabulary/errors";

const LINE_FEED = 0x0a;

/** How to save the file so that it can be read. */
const AS_UTF8 = 'in Excel as "CSV UTF-8"';
const AS_CSV = `save its sheet as CSV, ${AS_UTF8}`;

/** The first byte of UTF-16, in either byte order; UTF-8 has no such bytes. */
const MARKS_OF_UTF16 = [0xff, 0xfe];

/** The first bytes of files that are not text, and what to do with such files. */
const NO_TEXT = [
  { mark: [0x50, 0x4b, 0x03, 0x04], seems: `a workbook (.xlsx) or another ZIP archive: ${AS_CSV}` },
  { mark: [0xd0, 0xcf, 0x11, 0xe0], seems: `a workbook (.xls): ${AS_CSV}` },
  { mark: [0x1f, 0x8b], seems: "compressed (gzip): decompress it first" },
];
const LONGEST_MARK = 4;

/**
 * Decodes UTF-8, with or without a byte order mark.
 *
 * @throws OperatorError with the number of the first line that is not UTF-8, and what the file seems to be
 */
export async function* utf8Text(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  let beginning: readonly number[] = [];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (beginning.length < LONGEST_MARK) {
      beginning = [...beginning, ...bytes.subarray(0, LONGEST_MARK)];
      const kind = NO_TEXT.find(({ mark }) => mark.every((byte, at) => byte === beginning[at]));
      if (kind) throw new OperatorError(`The file is ${kind.seems}`);
    }
    const text = decoded(decoder, bytes);
    if (text === undefined) {
      if (MARKS_OF_UTF16.includes(beginning[0] ?? 0)) throw otherEncoding("UTF-16");
      throw otherEncoding("windows-1252", `${notUtf8(line + linesBeforeFault(bytes))}. `);
    }
    yield text;
    for (const byte of bytes) if (byte === LINE_FEED) line += 1;
  }
  // The file was cut off within a character.
  if (decoded(decoder) === undefined) throw new OperatorError(notUtf8(line));
}

const notUtf8 = (line: number): string => `Line ${line} is not UTF-8`;

/** The file is refused, not converted: bytes don't tell the encoding for certain, and a wrong guess spoils names. */
const otherEncoding = (encoding: string, fault = ""): OperatorError =>
  new OperatorError(`${fault}The file seems to be in ${encoding}: save it as UTF-8, ${AS_UTF8}`);

/** The text of the next bytes; without bytes, the end of the text. Undefined if they are not UTF-8. */
function decoded(decoder: TextDecoder, bytes?: Buffer): string | undefined {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    return undefined;
  }
}

/** The number of lines in a chunk that end before its first bytes that are not UTF-8. */
function linesBeforeFault(chunk: Buffer): number {
  // The chunk may begin within a character. If the rest is valid, that character is the wrong one. If no other
  // character begins, the rest is the last byte (index -1), which is on the same line.
  const rest = chunk.subarray(chunk.findIndex((byte) => (byte & 0xc0) !== 0x80));
  if (decoded(new TextDecoder("utf-8", { fatal: true }), rest) !== undefined) return 0;
  let lines = 0;
  for (let from = 0; ; lines += 1) {
    const end = rest.indexOf(LINE_FEED, from);
    if (end === -1 || !isUtf8(rest.subarray(from, end))) return lines;
    from = end + 1;
  }
}

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
