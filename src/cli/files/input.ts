import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Io } from "../io";
import { fileError } from "./output";
import { utf8Text } from "./utf8-text";

/** A text that is read, and how much of it. */
export interface Input {
  readonly text: AsyncIterable<string>;
  /** The size in bytes; 0 if it is not known beforehand. */
  readonly size: number;
}

/**
 * Opens a file or, if the name is `-`, standard input; `onRead` is called with the number of bytes that have
 * been read.
 *
 * @throws OperatorError if the file can't be read; the text fails with the same
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

/** Opens the file when the first chunk is wanted. */
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
