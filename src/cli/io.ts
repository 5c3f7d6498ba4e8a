import type { Readable, Writable } from "node:stream";

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Writes a line of a command's output. */
export const print = (io: Io, line: string): void => {
  io.stdout.write(`${line}\n`);
};

/** Writes a line for the person at the terminal that is not part of the output. */
export const note = (io: Io, line: string): void => {
  io.stderr.write(`${line}\n`);
};
