import type { Readable, Writable } from "node:stream";
import type { ProcessEnvironment } from "../config";

export interface Io extends ProcessEnvironment {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** Writes a line of a command's output. */
export const print = (io: Io, line: string): void => {
  io.stdout.write(`${line}\n`);
};

/** Writes a line for the person at the terminal, to standard error: it is not part of the output. */
export const note = (io: Io, line: string): void => {
  io.stderr.write(`${line}\n`);
};

/**
 * Keeps write errors from ending the process, so that a command can finish its work. The returned function waits
 * until standard output is written, and returns its first error.
 */
export function watchOutputs({ stdout, stderr }: Io): () => Promise<Error | undefined> {
  let fault: Error | undefined;
  stdout.on("error", (error) => (fault ??= error));
  // There is nowhere left to report it.
  stderr.on("error", () => undefined);
  return async () => {
    await new Promise<void>((resolve) => stdout.write("", () => resolve()));
    return fault;
  };
}

/** Whether an output failed because its reader has gone, as `head` does when it has its lines. */
export const isReaderGone = (fault: unknown): boolean =>
  ["EPIPE", "ECONNRESET"].includes(String((fault as NodeJS.ErrnoException).code));

/** Thrown to end a command whose output nobody reads any more. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone";
}

/** A number of things in words, such as `1 order` or `2,000 entries`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : several}`;
