import { link, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { EmbeddedPostgresError } from "./error";
import { readIfPresent } from "./files";
import { commandLine, isAlive } from "./processes";

/** What a server tells of itself in `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  /** undefined in the first moments of its start. */
  readonly port: number | undefined;
  readonly isReady: boolean;
  /** The whole file: equal texts are one and the same start. */
  readonly lockFile: string;
}

const lockFileOf = (cluster: string): string => path.join(cluster, "postmaster.pid");

/** The server that last locked a cluster and did not unlock it; it may long be dead. */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lockFile = await readIfPresent(lockFileOf(cluster));
  const [pid = "", , , port = "", , , , status = ""] = lockFile?.split("\n") ?? [];
  if (lockFile === undefined || !(Number(pid) > 0)) return undefined;
  return {
    pid: Number(pid),
    port: Number(port) || undefined,
    isReady: status.trim() === "ready",
    lockFile,
  };
}

/**
 * The live server of a cluster. A lock file that is left over of a server long gone, and whose
 * process number another program has now, is disowned: it would keep PostgreSQL from starting.
 *
 * @throws EmbeddedPostgresError where it can't be told whose the process is
 */
export async function livePostmaster(cluster: string): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(cluster);
  // PostgreSQL itself removes the lock of a process that is gone.
  if (!postmaster || !isAlive(postmaster.pid)) return undefined;
  const served = await whatServes(postmaster.pid);
  if (served === "unknown") return postmaster;
  if (served !== "other") {
    const { folder } = served;
    if (await isSameFolder(folder, cluster)) return postmaster;
    if ((await stat(folder).catch(() => undefined)) === undefined) {
      throw new EmbeddedPostgresError(
        `A PostgreSQL server (process ${postmaster.pid}) runs on ${folder}, which has been moved, ` +
          `maybe to ${cluster}: stop it first`,
      );
    }
  }
  await disownLockFile(cluster, postmaster);
  return undefined;
}

/** Whether both paths lead to one folder. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((each) => stat(each).catch(() => undefined)));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** The folder that a process serves as PostgreSQL; `other` is another program. */
async function whatServes(pid: number): Promise<{ folder: string } | "other" | "unknown"> {
  const command = await commandLine(pid);
  if (command === undefined) return "unknown";
  const [name = "", ...options] = command;
  if (path.basename(name) !== "postgres") return "other";
  const folder = options[options.indexOf("-D") + 1];
  return options.includes("-D") && folder !== undefined ? { folder } : "unknown";
}

/** No process has it: the greatest number there is. */
const NO_PROCESS = 2_147_483_647;

/**
 * Makes a lock file that of a process that is gone. Not removed, as PostgreSQL reads of it whether
 * backends of the old server are still alive.
 */
async function disownLockFile(cluster: string, { lockFile }: Postmaster): Promise<void> {
  const file = lockFileOf(cluster);
  const aside = `${file}.stale-${process.pid}`;
  await rename(file, aside).catch(() => undefined);
  const moved = await readIfPresent(aside);
  if (moved === undefined) return;
  // Another start may have locked the cluster meanwhile: that lock goes back as it is.
  if (moved === lockFile) await writeFile(aside, lockFile.replace(/^\d+/, String(NO_PROCESS)));
  await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}
