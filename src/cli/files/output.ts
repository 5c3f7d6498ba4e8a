import { randomUUID } from "node:crypto";
import { createWriteStream, rmSync } from "node:fs";
import { realpath, rename, stat } from "node:fs/promises";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf, OperatorError } from "../../vocabulary/errors";
import { isReaderGone, ReaderGone, type Io } from "../io";
import { onInterruption } from "./on-interruption";

/** Read and written by its owner alone: files have addresses of customers. */
const MODE = 0o600;

/**
 * Writes a text to a file or, if the name is `-`, to standard output. The file gets its name only when all
 * of the text is written, so nobody finds half a file under it.
 *
 * @throws OperatorError if the file can't be written
 * @throws ReaderGone if it is a pipe whose reader has gone
 */
export async function writeOutput(
  file: string,
  text: AsyncIterable<string>,
  io: Io,
): Promise<void> {
  // Faults of the text, such as a broken connection to the database, are none of the file.
  const faults: unknown[] = [];
  const watched = noting(faults, text);
  try {
    await (file === "-" ? writeTo(io.stdout, watched) : writeFile(file, watched));
  } catch (error) {
    if (faults.includes(error)) throw error;
    if (isReaderGone(error)) throw new ReaderGone(messageOf(error), { cause: error });
    throw fileError(file === "-" ? "Standard output" : file, error);
  }
}

async function* noting(faults: unknown[], text: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* text;
  } catch (error) {
    faults.push(error);
    throw error;
  }
}

/** Unlike `pipeline`, it waits for the last piece as well, and leaves the stream open. */
async function writeTo(stream: Writable, text: AsyncIterable<string>): Promise<void> {
  for await (const piece of text) {
    await new Promise<void>((resolve, reject) =>
      stream.write(piece, (error) => (error ? reject(error) : resolve())),
    );
  }
}

async function writeFile(file: string, text: AsyncIterable<string>): Promise<void> {
  const target = await targetOf(file);
  if (target === undefined) return pipeline(text, createWriteStream(file, { mode: MODE }));
  // No other export into the same file may write there.
  const written = `${target}.${randomUUID()}.partial`;
  const done = onInterruption(() => removeIfPossible(written));
  try {
    await pipeline(text, createWriteStream(written, { mode: MODE }));
    await rename(written, target);
  } catch (error) {
    removeIfPossible(written);
    throw error;
  } finally {
    done();
  }
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file);
  } catch {
    // Whatever has kept it from being written may keep it from being removed, and is the fault to tell.
  }
}

/** The path of a file that can be replaced; undefined if the name is that of a pipe or a device. */
async function targetOf(file: string): Promise<string | undefined> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats) return file;
  return stats.isFile() ? realpath(file) : undefined;
}

/** Explains a fault of a file. */
export const fileError = (name: string, error: unknown): OperatorError =>
  new OperatorError(`${name} can't be used: ${messageOf(error)}`);
