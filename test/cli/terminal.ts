import { PassThrough, Readable, Writable } from "node:stream";
import { run } from "../../src/cli/run";

/** What a command left behind. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command leaves that fails, with nothing or this text on standard output. */
export const failed = (stderr: unknown, stdout: unknown = "") => ({ exitCode: 1, stdout, stderr });

/** What a command finds. */
export interface Situation {
  readonly environment?: Record<string, string>;
  /** Standard input that is no terminal; empty by default. */
  readonly input?: string | Buffer;
  /** What a person types at each prompt; makes input and outputs a terminal. */
  readonly typed?: readonly string[];
  /** Whether standard output is a pipe, even if the rest is a terminal. */
  readonly isPiped?: boolean;
}

/** Runs a command in this process. */
export async function tea(
  command: string | readonly string[],
  { environment = {}, input = "", typed, isPiped = false }: Situation = {},
): Promise<Outcome> {
  const isTTY = typed !== undefined;
  const answers = [...(typed ?? [])];
  const keyboard = new PassThrough();
  const stdin = isTTY ? keyboard : Readable.from(input === "" ? [] : [Buffer.from(input)]);
  const stdout = new Recorder();
  const stderr = new Recorder((text) => {
    if (/:\s*$/.test(text)) setImmediate(() => keyboard.write(answers.shift() ?? "\u0004"));
  });
  const exitCode = await run(typeof command === "string" ? command.split(" ") : command, {
    stdin: Object.assign(stdin, { isTTY }),
    stdout: Object.assign(stdout, { isTTY: isTTY && !isPiped }),
    stderr: Object.assign(stderr, { isTTY }),
    environment,
    fileIssues: [],
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

class Recorder extends Writable {
  text = "";

  constructor(private readonly heard: (text: string) => void = () => undefined) {
    super();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    this.heard(chunk.toString());
    done();
  }
}
