import { readFile } from "node:fs/promises";

/** The kernel's unit for the time of a process, in milliseconds. */
const TICK = 10;

/** The processor time that a process has used, in milliseconds. */
export async function cpuTime(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return TICK * (Number(user) + Number(system));
}
