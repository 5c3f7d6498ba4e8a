import { link, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { EmbeddedPostgresError, readIfPresent, commandLine, isAlive } from "./system";

export const SUPERUSER = "postgres";

export interface ServerAddress {
  readonly folder: string;
  readonly password: string;
}

export const connectionString = (port: number, password: string, database: string): string =>
  `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;

/** A server, as its lock file `postmaster.pid` describes it. */
export interface Postmaster {
  readonly pid: number;
  /** undefined while the server starts. */
  readonly port: number | undefined;
  readonly isReady: boolean;
  /** The whole text of the file, which differs for each start. */
  readonly lockFile: string;
}

const lockFileOf = (cluster: string): string => path.join(cluster, "postmaster.pid");

/** The server that the lock file of a cluster names; it may be dead. */
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
 * The live server of a cluster. If the lock file is stale and its process id now belongs to another program, the
 * file would keep PostgreSQL from starting, so its process id is changed.
 *
 * @throws EmbeddedPostgresError if the server's data folder was moved while it runs
 */
export async function livePostmaster(cluster: string): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(cluster);
  // PostgreSQL itself removes the lock file of a process that is gone.
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

export async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((each) => stat(each).catch(() => undefined)));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** The folder that a PostgreSQL process serves; "other" if the process is another program. */
async function whatServes(pid: number): Promise<{ folder: string } | "other" | "unknown"> {
  const command = await commandLine(pid);
  if (command === undefined) return "unknown";
  const [name = "", ...options] = command;
  if (path.basename(name) !== "postgres") return "other";
  const folder = options[options.indexOf("-D") + 1];
  return options.includes("-D") && folder !== undefined ? { folder } : "unknown";
}

/** The greatest process id, which no process has. */
const NO_PROCESS = 2_147_483_647;

/**
 * Changes the process id in a lock file to one that does not exist. The file stays, because PostgreSQL needs it to
 * find out whether processes of the old server are still alive.
 */
async function disownLockFile(cluster: string, { lockFile }: Postmaster): Promise<void> {
  const file = lockFileOf(cluster);
  const aside = `${file}.stale-${process.pid}`;
  await rename(file, aside).catch(() => undefined);
  const moved = await readIfPresent(aside);
  if (moved === undefined) return;
  // If another start has locked the cluster in the meantime, its lock file is put back unchanged.
  if (moved === lockFile) await writeFile(aside, lockFile.replace(/^\d+/, String(NO_PROCESS)));
  await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}
