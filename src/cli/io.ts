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

/** Writes a line for the person at the terminal that is not part of the output. */
export const note = (io: Io, line: string): void => {
  io.stderr.write(`${line}\n`);
};

/**
 * Keeps faults of the outputs from ending the process, so that a command can finish what it does. The result
 * waits for all that was written to standard output, and returns its first fault.
 */
export function watchOutputs({ stdout, stderr }: Io): () => Promise<Error | undefined> {
  let fault: Error | undefined;
  stdout.on("error", (error) => (fault ??= error));
  // There is nowhere left to say it.
  stderr.on("error", () => undefined);
  return async () => {
    await new Promise<void>((resolve) => stdout.write("", () => resolve()));
    return fault;
  };
}

/** Whether the fault of an output is that its reader has gone, as `head` does when it has its lines. */
export const isReaderGone = (fault: unknown): boolean =>
  ["EPIPE", "ECONNRESET"].includes(String((fault as NodeJS.ErrnoException).code));

/** Ends a command whose output nobody reads any more. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone";
}
