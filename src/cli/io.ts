import type { Readable, Writable } from "node:stream";

/** What a command reads and writes, and the environment that it is configured by. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Writes a line of a command's answer. */
export const print = (io: Io, line: string): void => {
  io.stdout.write(`${line}\n`);
};

/** Writes a line that is for the person at the terminal, beside the answer. */
export const note = (io: Io, line: string): void => {
  io.stderr.write(`${line}\n`);
};
