import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Io } from "../io";
import { utf8Text } from "../../files/text";
import { fileError } from "./output";

/** A text to be read, and its size. */
interface Input {
  readonly text: AsyncIterable<string>;
  /** The size in bytes; 0 if it is not known in advance. */
  readonly size: number;
}

/**
 * Opens a file or, if the name is `-`, standard input. Calls `onRead` with the number of bytes read so far.
 *
 * @throws OperatorError if the file can't be read; iterating over the text may throw it as well
 */
export async function openInput(
  file: string,
  onRead: (bytes: number) => void,
  io: Io,
): Promise<Input> {
  const text = utf8Text(chunksOf(file, onRead, io));
  if (file === "-") return { text, size: 0 };
  const { size } = await stat(file).catch((error: unknown) => {
    throw fileError(file, error);
  });
  return { text, size };
}

/** Opens the file only when the first chunk is asked for. */
async function* chunksOf(
  file: string,
  onRead: (bytes: number) => void,
  { stdin }: Io,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    const chunks: AsyncIterable<Uint8Array> = file === "-" ? stdin : createReadStream(file);
    for await (const chunk of chunks) {
      bytes += chunk.length;
      onRead(bytes);
      yield chunk;
    }
  } catch (error) {
    throw fileError(file === "-" ? "Standard input" : file, error);
  }
}
