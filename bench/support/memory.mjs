import { readFile, writeFile } from "node:fs/promises";

/** Resets the peak of a process's memory. */
export const resetPeakMemory = (pid) => writeFile(`/proc/${pid}/clear_refs`, "5");

/** The most memory that a process has had since the reset, or since it started, in MB of 1,048,576 bytes. */
export async function peakMemory(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
