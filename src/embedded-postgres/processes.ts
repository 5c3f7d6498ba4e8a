import { readFile } from "node:fs/promises";
import { errorCode } from "./files";
import { runProgram } from "./run-program";

/** Whether a process exists, even if it belongs to another user. */
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
