import { readFile, stat } from "node:fs/promises";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { createServer, type AddressInfo } from "node:net";

/** A remedy that the message does not name, because only the caller can put it into words. */
export type Remedy = "other-folder" | "other-password" | "other-server";

/** PostgreSQL can't be started or used here. The message says why, so nobody needs the stack. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";

  constructor(
    message: string,
    /** Each remedy alone would help. */
    readonly remedies: readonly Remedy[] = [],
  ) {
    super(message);
  }
}

export const errorCode = (error: unknown): string | undefined =>
  (error as { code?: string } | undefined)?.code;

export const readIfPresent = (file: string): Promise<string | undefined> =>
  ifPresent(readFile(file, "utf8"));

/** The owner of a file or folder; undefined if it does not exist. */
export const ownerIfPresent = (file: string): Promise<{ uid: number; gid: number } | undefined> =>
  ifPresent(stat(file));

async function ifPresent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

interface RunOptions {
  /** undefined stands for the user of this process. */
  readonly user?: SystemUser | undefined;
  /** Replaces the environment of this process. */
  readonly env?: Record<string, string>;
}

interface Outcome {
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

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

/** The program of a process and at least its argument `-D`; undefined if the system does not show them. */
export async function commandLine(pid: number): Promise<string[] | undefined> {
  try {
    if (process.platform === "linux") {
      return (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    }
    const { stdout } = await runProgram("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
    const [, name, folder] = /^(.*?)(?: -D (.*?))?(?: -.*)?$/.exec(stdout.trim()) ?? [];
    return name === undefined ? [] : [name, ...(folder === undefined ? [] : ["-D", folder])];
  } catch {
    return undefined;
  }
}

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

export async function lookUpUser(name: string): Promise<SystemUser | undefined> {
  const [uid, gid] = await Promise.all(["-u", "-g"].map((flag) => runProgram("id", [flag, name])));
  if (uid?.exitCode !== 0 || gid?.exitCode !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Whether a command succeeds when it runs as a user; undefined stands for the user of this process. */
export async function succeeds(
  user: SystemUser | undefined,
  command: string,
  ...args: string[]
): Promise<boolean> {
  return (await runProgram(command, args, { user })).exitCode === 0;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
