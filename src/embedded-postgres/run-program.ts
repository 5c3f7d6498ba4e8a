import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { SystemUser } from "./system-user";

/** How a program runs. */
export interface RunOptions {
  /** undefined is this process's own user. */
  readonly user?: SystemUser | undefined;
  /** In place of this process's environment. */
  readonly env?: Record<string, string>;
}

/** How a program ended. */
export interface Outcome {
  /** undefined: it did not start, or a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  /** What it complained of, or why it did not start. */
  readonly stderr: string;
}

/** Runs a program to its end, in the root folder and in a process group of its own: Ctrl-C does not reach it. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { user, env }: RunOptions = {},
): Promise<Outcome> {
  const child = spawn(program, args, {
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
    ...(env && { env }),
  });
  const ended = new Promise<number | undefined>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? undefined));
  });
  try {
    const [exitCode, stdout, stderr] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { exitCode, stdout, stderr };
  } catch (error) {
    return { exitCode: undefined, stdout: "", stderr: String(error) };
  }
}
