import { chown, mkdir, open, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { EmbeddedPostgresError, errorCode, readIfPresent, isAlive, runProgram } from "./system";
import type { Placement } from "./placement";
import { program, programEnvironment } from "./binaries";
import { SUPERUSER } from "./postmaster";

/**
 * Ensures that there is a cluster of the right version. A new cluster appears completely or not at all. If
 * several processes create it at the same time, one of them wins.
 *
 * @throws EmbeddedPostgresError
 */
export async function ensureCluster(placement: Placement, options: ClusterOptions): Promise<void> {
  if (!(await exists(placement))) await create(placement, options);
  else if (placement.elsewhere !== undefined) await rm(placement.elsewhere, { recursive: true });
}

async function exists({ cluster, binaries }: Placement): Promise<boolean> {
  const version = (await readIfPresent(path.join(cluster, "PG_VERSION")))?.trim();
  if (version === undefined) {
    const content = await readdir(cluster).catch(() => []);
    if (content.length === 0) return false;
    throw new EmbeddedPostgresError(
      `${cluster} contains files that are not a PostgreSQL database: move it away`,
    );
  }
  if (version === String(binaries.major)) return true;
  throw new EmbeddedPostgresError(
    [
      `${cluster} contains data of PostgreSQL ${version}; the embedded server is PostgreSQL ${binaries.major}. Either`,
      `- keep the data: dump it with the programs of PostgreSQL ${version} (postgres, pg_dump), ` +
        `move ${cluster} away, start once, and restore the dump, or`,
      `- start with an empty database: move ${cluster} away.`,
    ].join("\n"),
  );
}

async function create(placement: Placement, options: ClusterOptions): Promise<void> {
  const { cluster, elsewhere, user } = placement;
  await removeAbandoned(cluster);
  const temporary = `${elsewhere === undefined ? cluster : path.join(elsewhere, "postgres")}.new-${process.pid}`;
  await mkdir(temporary, { mode: 0o700 });
  if (user) await chown(temporary, user.uid, user.gid);
  try {
    const draft = path.join(temporary, "cluster");
    await initdb(placement, draft, path.join(temporary, "password"), options);
    if (elsewhere === undefined) await publish(() => rename(draft, cluster));
    else {
      await rename(draft, path.join(elsewhere, "postgres"));
      const won = await publish(() => symlink(path.join(elsewhere, "postgres"), cluster));
      if (!won) await rm(elsewhere, { recursive: true });
    }
    if (options.durable) await syncFolder(path.dirname(cluster));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  if (!(await exists(placement)))
    throw new EmbeddedPostgresError(`${cluster} could not be created`);
}

async function publish(move: () => Promise<void>): Promise<boolean> {
  try {
    await move();
    return true;
  } catch (error) {
    if (["EEXIST", "ENOTEMPTY"].includes(errorCode(error) ?? "")) return false;
    throw error;
  }
}

async function removeAbandoned(cluster: string): Promise<void> {
  const folder = path.dirname(cluster);
  for (const name of await readdir(folder)) {
    const pid = /\.new-(\d+)$/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

interface ClusterOptions {
  readonly password: string;
  readonly durable: boolean;
}

/**
 * Creates a cluster in a folder that does not exist yet. The caller must delete `passwordFile` afterwards.
 *
 * @throws EmbeddedPostgresError
 */
async function initdb(
  { binaries, user }: Pick<Placement, "binaries" | "user">,
  folder: string,
  passwordFile: string,
  { password, durable }: ClusterOptions,
): Promise<void> {
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) await chown(passwordFile, user.uid, user.gid);
  await mkdir(folder, { mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
  const options = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    ...(durable ? [] : ["--no-sync"]),
  ];
  const { exitCode, stderr } = await runProgram(program(binaries, "initdb"), options, {
    user,
    env: programEnvironment,
  });
  if (exitCode !== 0) {
    throw new EmbeddedPostgresError(`PostgreSQL can't create a database here: ${stderr.trim()}`);
  }
}
