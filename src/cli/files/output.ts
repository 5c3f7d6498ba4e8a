import { createWriteStream } from "node:fs";
import { realpath, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { isNativeError } from "node:util/types";
import { messageOf, OperatorError } from "../../errors";
import type { Io } from "../io";

/** Read and written by its owner alone: files have addresses of customers. */
const MODE = 0o600;

/**
 * Writes a text to a file or, if the name is `-`, to standard output. The file gets its name only when all
 * of the text is written, so nobody finds half a file under it.
 *
 * @throws OperatorError if the file can't be written
 */
export async function writeOutput(
  file: string,
  text: AsyncIterable<string>,
  io: Io,
): Promise<void> {
  if (file === "-") {
    await pipeline(text, io.stdout, { end: false }).catch((error: unknown) => {
      throw fileError(file, error);
    });
    return;
  }
  const target = await targetOf(file);
  const isWhole = target === undefined;
  const written = isWhole ? file : `${target}.partial`;
  try {
    await pipeline(text, createWriteStream(written, { mode: MODE }));
    if (!isWhole) await rename(written, target);
  } catch (error) {
    if (!isWhole) await rm(written, { force: true });
    throw fileError(file, error);
  }
}

/** The path of a file that can be replaced; undefined if the name is that of a pipe or a device. */
async function targetOf(file: string): Promise<string | undefined> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats) return file;
  return stats.isFile() ? realpath(file) : undefined;
}

/** What the system can fail at with a file. */
const FILE_CALLS = new Set<unknown>([
  "open",
  "read",
  "write",
  "close",
  "rename",
  "stat",
  "realpath",
]);

/** Explains a fault of the file; any other error stays as it is. */
export function fileError(file: string, error: unknown): unknown {
  if (!isNativeError(error) || !("syscall" in error)) return error;
  if (!FILE_CALLS.has(error.syscall)) return error;
  const name = file === "-" ? "The pipe" : file;
  return new OperatorError(`${name} can't be used: ${messageOf(error)}`, { cause: error });
}
