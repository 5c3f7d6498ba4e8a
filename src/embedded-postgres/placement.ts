import { chmod, cp, mkdir, mkdtemp, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { type Binaries, program } from "./binaries";
import { errorCode, StartFault } from "./start-fault";
import { isRoot, succeeds, type SystemUser, type UserLookup } from "./system-user";

/** Where a cluster lives, and who runs it. */
export interface Placement {
  readonly binaries: Binaries;
  /** `DATA_DIR/postgres`: the cluster, or a link to where it is. */
  readonly cluster: string;
  /** A folder that `user` can reach, for a new cluster: a link leads there from `cluster`; undefined: none is needed. */
  readonly elsewhere: string | undefined;
  /** PostgreSQL refuses to run as root; undefined is this process's own user. */
  readonly user: SystemUser | undefined;
}

/** What placing a cluster depends on. */
export interface PlacementOptions {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly lookUpUser: UserLookup;
  readonly log: (line: string) => void;
}

/** Belongs to root and can be passed through by everyone, unlike root's home. */
const SHARED_FOLDER = "/var/lib/tea-shop";

/** The folder that was made for a cluster elsewhere; undefined where the cluster is in its data folder. */
export const folderElsewhere = (cluster: string): string | undefined =>
  cluster.startsWith(`${SHARED_FOLDER}/`) ? path.dirname(cluster) : undefined;

/**
 * Finds a user to run PostgreSQL as, and folders that this user can reach. Of the folders above the
 * data folder none is changed.
 *
 * @throws StartFault where there is no way
 */
export async function place(options: PlacementOptions): Promise<Placement> {
  const { dataDir, binaries } = options;
  const cluster = path.join(dataDir, "postgres");
  if (!isRoot()) {
    await assertOwn(cluster);
    return { binaries, cluster, elsewhere: undefined, user: undefined };
  }
  const user = await serverUser(cluster, options.lookUpUser);
  return {
    binaries: await reachableBinaries(user, options),
    cluster,
    elsewhere: await reachableFolder(user, options),
    user,
  };
}

async function assertOwn(cluster: string): Promise<void> {
  const owner = await statIfPresent(cluster);
  if (owner === undefined || owner.uid === process.getuid?.()) return;
  throw new StartFault(
    `${cluster} belongs to another user (${owner.uid}): start as that user or as root, or set DATA_DIR`,
  );
}

async function serverUser(cluster: string, lookUp: UserLookup): Promise<SystemUser> {
  const owner = await statIfPresent(cluster);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  if (owner !== undefined) {
    throw new StartFault(
      `${cluster} belongs to root, as whom PostgreSQL refuses to run: ` +
        "give it back to the user that ran it (chown -R), or move it away",
    );
  }
  const user = (await lookUp("postgres")) ?? (await lookUp("nobody"));
  if (user !== undefined) return user;
  throw new StartFault(
    "PostgreSQL refuses to run as root, and this system has neither a user postgres nor nobody: " +
      "start as an ordinary user, or set DATABASE_URL",
  );
}

async function reachableBinaries(
  user: SystemUser,
  { binaries, log }: PlacementOptions,
): Promise<Binaries> {
  if (await runsFor(user, binaries)) return binaries;
  const name = `postgresql-${binaries.version}-${process.platform}-${process.arch}`;
  const copy = { ...binaries, folder: path.join(SHARED_FOLDER, name) };
  if (await runsFor(user, copy)) return copy;
  await assertRunsHere(binaries);
  await makePassable(SHARED_FOLDER);
  const draft = await mkdtemp(`${copy.folder}.new-`);
  try {
    await cp(binaries.folder, draft, { recursive: true, verbatimSymlinks: true });
    if (!(await succeeds(undefined, "chmod", "-R", "a+rX", draft))) {
      throw new StartFault(`The modes of ${draft} can't be changed`);
    }
    await publish(draft, copy.folder, async () => runsFor(user, copy));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  if (!(await runsFor(user, copy)))
    throw new StartFault(`PostgreSQL does not run from ${copy.folder}`);
  log(
    `PostgreSQL can't run as root, and its user can't reach ${binaries.folder}: copied to ${copy.folder}`,
  );
  return copy;
}

const runsFor = (user: SystemUser | undefined, binaries: Binaries): Promise<boolean> =>
  succeeds(user, program(binaries, "postgres"), "--version");

async function assertRunsHere(binaries: Binaries): Promise<void> {
  if (await runsFor(undefined, binaries)) return;
  throw new StartFault(
    `${program(binaries, "postgres")} does not run on this system: set DATABASE_URL to a PostgreSQL server of your own`,
  );
}

/** Puts a folder in its place; a useless one that stands there is moved out of the way first. */
async function publish(
  draft: string,
  folder: string,
  isThere: () => Promise<boolean>,
): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
    if (await isThere()) return;
    await rename(folder, `${draft}.old`);
    await rename(draft, folder);
    await rm(`${draft}.old`, { recursive: true, force: true });
  }
}

async function reachableFolder(
  user: SystemUser,
  { dataDir, log }: PlacementOptions,
): Promise<string | undefined> {
  const reaches = (folder: string) => succeeds(user, "test", "-x", folder);
  const cluster = path.join(dataDir, "postgres");
  const existing = await realpathIfPresent(cluster);
  if (await reaches(existing ?? dataDir)) return undefined;
  const { uid, mode } = await stat(dataDir);
  if (uid === 0 && (await reaches(path.dirname(dataDir)))) {
    // What is secret in it stays readable by root alone.
    await chmod(dataDir, mode | 0o111);
    return undefined;
  }
  if (existing !== undefined) {
    throw new StartFault(
      `PostgreSQL can't run as root, and its user (${user.uid}) can't reach ${existing}: ` +
        "put the data folder where everyone may pass, and set DATA_DIR",
    );
  }
  await makePassable(SHARED_FOLDER);
  const elsewhere = await mkdtemp(path.join(SHARED_FOLDER, "data-"));
  await chmod(elsewhere, 0o711);
  log(
    `PostgreSQL can't run as root, and its user can't reach ${dataDir}: the database is kept in ${elsewhere}`,
  );
  return elsewhere;
}

async function makePassable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o711);
  } catch (error) {
    throw new StartFault(
      `PostgreSQL can't run as root, and its user can't reach this folder; nor can ${folder} be used ` +
        `(${String(error)}): start as an ordinary user, or set DATABASE_URL`,
    );
  }
}

/** The folder that a cluster's name leads to; undefined where there is none yet. */
async function realpathIfPresent(cluster: string): Promise<string | undefined> {
  const target = await readlink(cluster).catch(() => undefined);
  try {
    return await realpath(cluster);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    if (target === undefined) return undefined;
    throw new StartFault(
      `${cluster} leads to ${target}, which is gone: put it back, or remove the link to begin anew`,
    );
  }
}

async function statIfPresent(file: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
