import { readFile } from "node:fs/promises";
import { errorCode } from "./files";
import { runProgram } from "./run-program";

/** Whether there is a process of that number, whosesoever it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

/** A process's program and arguments, as far as they matter; undefined where the system does not tell. */
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
