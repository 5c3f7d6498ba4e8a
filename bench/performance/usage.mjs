import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { childrenOf } from "../support/processes.mjs";

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Indexes of the times among the fields after the name (proc(5)). The name may contain spaces. */
const OWN = [11, 12];
const OF_ENDED_CHILDREN = [13, 14];

async function ticks(pid, fields) {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (text === undefined) return 0;
  const values = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields.reduce((sum, field) => sum + Number(values[field]), 0);
}

/** Microseconds of processor time that a process has used, with all its threads. */
export const processorTime = async (pid) => ((await ticks(pid, OWN)) * 1e6) / TICKS_PER_SECOND;

/** The same for a process with its children, including those that have ended. */
export async function processorTimeOfFamily(pid) {
  for (;;) {
    const ended = await ticks(pid, OF_ENDED_CHILDREN);
    const theirs = await Promise.all((await childrenOf(pid)).map((child) => ticks(child, OWN)));
    const own = await ticks(pid, OWN);
    // A child that ends meanwhile could be counted twice, or not at all.
    if ((await ticks(pid, OF_ENDED_CHILDREN)) !== ended) continue;
    const sum = [own, ended, ...theirs].reduce((all, each) => all + each, 0);
    return (sum * 1e6) / TICKS_PER_SECOND;
  }
}

/** Bytes of memory that a process has in use (its resident set). */
export async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]);
}
