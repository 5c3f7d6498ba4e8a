import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { OperatorError } from "../../vocabulary/errors";

const LINE_FEED = 0x0a;

/**
 * Decodes UTF-8, with or without a byte order mark.
 *
 * @throws OperatorError with the number of the first line that is not UTF-8
 */
export async function* utf8Text(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const text = decoded(decoder, bytes);
    if (text === undefined) throw notUtf8(line + linesBeforeFault(bytes));
    yield text;
    for (const byte of bytes) if (byte === LINE_FEED) line += 1;
  }
  if (decoded(decoder) === undefined) throw notUtf8(line);
}

const notUtf8 = (line: number): OperatorError => new OperatorError(`Line ${line} is not UTF-8`);

/** The text of the next bytes or, without bytes, of the end; undefined if they are not UTF-8. */
function decoded(decoder: TextDecoder, bytes?: Buffer): string | undefined {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    return undefined;
  }
}

/** The number of lines that end before the first fault in a chunk. */
function linesBeforeFault(chunk: Buffer): number {
  // The chunk may begin within a character. If the rest is right, that character is at fault. If nothing else
  // begins, the rest is the last byte (-1), which is on the same line.
  const rest = chunk.subarray(chunk.findIndex((byte) => (byte & 0xc0) !== 0x80));
  if (decoded(new TextDecoder("utf-8", { fatal: true }), rest) !== undefined) return 0;
  let lines = 0;
  for (let from = 0; ; lines += 1) {
    const end = rest.indexOf(LINE_FEED, from);
    if (end === -1 || !isUtf8(rest.subarray(from, end))) return lines;
    from = end + 1;
  }
}
