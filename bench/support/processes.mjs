import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== "ESRCH";
  }
}

/** Signals a process that may have ended meanwhile. */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** The process numbers of a process's children. */
export async function childrenOf(pid) {
  const { stdout } = await run("ps", ["-A", "-o", "pid=", "-o", "ppid="]);
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child);
}

/** Resolves when the condition holds; rejects after `limit` milliseconds. */
export async function until(condition, limit, what) {
  for (const deadline = Date.now() + limit; !(await condition());) {
    if (Date.now() > deadline) throw new Error(`${what} did not come about in ${limit} ms`);
    await setTimeout(5);
  }
}

/** The most memory that a process has had since it started, in MB of 1,048,576 bytes. */
export async function peakMemory(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
