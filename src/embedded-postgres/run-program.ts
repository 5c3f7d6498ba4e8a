import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { SystemUser } from "./system-user";

export interface RunOptions {
  /** undefined stands for the user of this process. */
  readonly user?: SystemUser | undefined;
  /** Replaces the environment of this process. */
  readonly env?: Record<string, string>;
}

export interface Outcome {
  /** undefined if it did not start or a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  /** Its error output, or the reason why it did not start. */
  readonly stderr: string;
}

/** Runs a program to its end, in its own process group, so that Ctrl-C does not reach it. */
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
