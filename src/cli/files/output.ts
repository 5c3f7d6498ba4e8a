import { randomUUID } from "node:crypto";
import { createWriteStream, rmSync } from "node:fs";
import { link, open, realpath, rename, stat } from "node:fs/promises";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf, OperatorError } from "../../vocabulary/errors";
import { isReaderGone, ReaderGone, type Io } from "../io";

/** Only the owner may read and write the file: it has addresses of customers. */
const MODE = 0o600;

/** Where a text goes. */
export interface OutputFile {
  readonly file: string;
  /** Whether an existing file of that name is replaced. */
  readonly overwrites: boolean;
}

/**
 * Writes a text to a file or, if the name is `-`, to standard output. The file gets its name only when the whole
 * text is written, so nobody finds half a file under that name.
 *
 * @throws OperatorError if the file can't be written, or exists and is not to be overwritten
 * @throws ReaderGone if the output is a pipe whose reader has gone
 */
export async function writeOutput(
  { file, overwrites }: OutputFile,
  text: AsyncIterable<string>,
  io: Io,
): Promise<void> {
  // Errors of the text, such as a broken connection to the database, are not errors of the file.
  const faults: unknown[] = [];
  const watched = noting(faults, text);
  try {
    await (file === "-" ? writeTo(io.stdout, watched) : writeFile(file, overwrites, watched));
  } catch (error) {
    if (error instanceof OperatorError || faults.includes(error)) throw error;
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

/** Writes the text and waits for the last piece too. Unlike `pipeline`, leaves the stream open. */
async function writeTo(stream: Writable, text: AsyncIterable<string>): Promise<void> {
  for await (const piece of text) {
    await new Promise<void>((resolve, reject) =>
      stream.write(piece, (error) => (error ? reject(error) : resolve())),
    );
  }
}

async function writeFile(
  file: string,
  overwrites: boolean,
  text: AsyncIterable<string>,
): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  // A pipe or a device.
  if (stats && !stats.isFile()) return pipeline(text, createWriteStream(file, { mode: MODE }));
  if (stats && !overwrites) throw existsAlready(file);
  const target = stats ? await realpath(file) : file;
  // The name is unique, so that two exports to one file don't write into the same draft.
  const written = `${target}.${randomUUID()}.partial`;
  const done = onInterruption(() => removeIfPossible(written));
  try {
    // A stream that opens its file by itself may do so after it has been given up, and leave it behind.
    const opened = await open(written, "wx", MODE);
    await pipeline(text, opened.createWriteStream());
    await (overwrites ? rename(written, target) : linkTo(written, target));
  } finally {
    removeIfPossible(written);
    done();
  }
}

/** Gives a file a second name. Unlike a rename, it fails if a file of that name has come into being. */
async function linkTo(written: string, target: string): Promise<void> {
  try {
    await link(written, target);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? existsAlready(target) : error;
  }
}

const existsAlready = (file: string): OperatorError =>
  new OperatorError(`${file} exists already: add --force to overwrite it`);

function removeIfPossible(file: string): void {
  try {
    rmSync(file);
  } catch {
    // It was renamed; or it can't be removed, perhaps for the same reason for which it couldn't be written.
  }
}

/** The error that explains why a file can't be used. */
export const fileError = (name: string, error: unknown): OperatorError =>
  new OperatorError(`${name} can't be used: ${messageOf(error)}`);

/** Signals that end a command before it is done: Ctrl-C, a service manager, a terminal that is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls `undo` if a signal ends the process before the returned function is called. `undo` must be synchronous,
 * because the process ends right after it.
 */
function onInterruption(undo: () => void): () => void {
  const interrupted = (signal: NodeJS.Signals): void => {
    undo();
    // Other listeners for the signal end the process themselves when they are done.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.prependOnceListener(signal, interrupted);
  return () => {
    for (const signal of SIGNALS) process.off(signal, interrupted);
  };
}
