import path from "node:path";
import { type Binaries, program } from "./binaries";
import {
  EmbeddedPostgresError,
  ownerIfPresent,
  isRoot,
  lookUpUser,
  type SystemUser,
  errorCode,
  succeeds,
} from "./system";
import { cp, mkdtemp, rename, rm, chmod, readlink, realpath, stat, mkdir } from "node:fs/promises";

/** The folders of a cluster, and the user who runs it. */
export interface Placement {
  readonly binaries: Binaries;
  /** `postgres` in the data folder: the cluster or a link to it. */
  readonly cluster: string;
  /** A folder for a new cluster, which `user` can reach and `cluster` links to; undefined if not needed. */
  readonly elsewhere: string | undefined;
  /** The user that runs PostgreSQL instead of root; undefined: the user of this process. */
  readonly user: SystemUser | undefined;
}

interface PlacementOptions {
  readonly dataDir: string;
  readonly sharedFolder: string;
  readonly binaries: Binaries;
  readonly log: (line: string) => void;
}

/**
 * Finds a user to run PostgreSQL as, and folders that this user can reach. Folders above the data folder
 * are never changed.
 *
 * @throws EmbeddedPostgresError if there is no such user or folder
 */
export async function place(options: PlacementOptions): Promise<Placement> {
  const { dataDir, binaries } = options;
  const cluster = path.join(dataDir, "postgres");
  if (!isRoot()) {
    await assertOwn(cluster);
    return { binaries, cluster, elsewhere: undefined, user: undefined };
  }
  const user = await serverUser(cluster);
  return {
    binaries: await reachableBinaries(user, options),
    cluster,
    elsewhere: await reachableFolder(user, cluster, options),
    user,
  };
}

async function assertOwn(cluster: string): Promise<void> {
  const owner = await ownerIfPresent(cluster);
  if (owner === undefined || owner.uid === process.getuid?.()) return;
  throw new EmbeddedPostgresError(
    `${cluster} belongs to another user (${owner.uid}): start as that user or as root`,
    ["other-folder"],
  );
}

async function serverUser(cluster: string): Promise<SystemUser> {
  const owner = await ownerIfPresent(cluster);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  if (owner !== undefined) {
    throw new EmbeddedPostgresError(
      `${cluster} belongs to root, but PostgreSQL refuses to run as root: ` +
        "give it back to the user that ran it (chown -R), or move it away",
    );
  }
  const user = (await lookUpUser("postgres")) ?? (await lookUpUser("nobody"));
  if (user !== undefined) return user;
  throw new EmbeddedPostgresError(
    "PostgreSQL refuses to run as root, and this system has neither a user postgres nor a user nobody: " +
      "start as an ordinary user",
    ["other-server"],
  );
}

/**
 * Binaries that a user can run: the installed ones or, if the user can't reach them, a copy in the shared folder.
 *
 * @throws EmbeddedPostgresError if the user can't run either
 */
async function reachableBinaries(
  user: SystemUser,
  { binaries, sharedFolder, log }: Omit<PlacementOptions, "dataDir">,
): Promise<Binaries> {
  if (await runsFor(user, binaries)) return binaries;
  const name = `postgresql-${binaries.version}-${process.platform}-${process.arch}`;
  const copy = { ...binaries, folder: path.join(sharedFolder, name) };
  if (await runsFor(user, copy)) return copy;
  await assertRunsHere(binaries);
  await makePassable(sharedFolder);
  await install(binaries, copy, () => runsFor(user, copy));
  if (!(await runsFor(user, copy))) {
    throw new EmbeddedPostgresError(`PostgreSQL does not run from ${copy.folder}`);
  }
  log(
    `PostgreSQL can't run as root, and its user can't reach ${binaries.folder}: copied to ${copy.folder}`,
  );
  return copy;
}

const runsFor = (user: SystemUser | undefined, binaries: Binaries): Promise<boolean> =>
  succeeds(user, program(binaries, "postgres"), "--version");

async function assertRunsHere(binaries: Binaries): Promise<void> {
  if (await runsFor(undefined, binaries)) return;
  throw new EmbeddedPostgresError(`${program(binaries, "postgres")} does not run on this system`, [
    "other-server",
  ]);
}

/** Copies binaries to a folder where every user can run them, completely or not at all. */
async function install(
  binaries: Binaries,
  copy: Binaries,
  isInstalled: () => Promise<boolean>,
): Promise<void> {
  const draft = await mkdtemp(`${copy.folder}.new-`);
  try {
    await cp(binaries.folder, draft, { recursive: true, verbatimSymlinks: true });
    if (!(await succeeds(undefined, "chmod", "-R", "a+rX", draft))) {
      throw new EmbeddedPostgresError(`The modes of ${draft} can't be changed`);
    }
    await publish(draft, copy.folder, isInstalled);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Moves the draft to its final folder. Replaces a folder that is there already, unless it works. */
async function publish(
  draft: string,
  folder: string,
  isInstalled: () => Promise<boolean>,
): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
    if (await isInstalled()) return;
    await rename(folder, `${draft}.old`);
    await rename(draft, folder);
    await rm(`${draft}.old`, { recursive: true, force: true });
  }
}

/**
 * Ensures that a user can reach a cluster. Returns undefined if the user can. Otherwise returns a folder for a new
 * cluster, inside the shared folder.
 *
 * @throws EmbeddedPostgresError if neither is possible
 */
async function reachableFolder(
  user: SystemUser,
  cluster: string,
  { dataDir, sharedFolder, log }: Omit<PlacementOptions, "binaries">,
): Promise<string | undefined> {
  const reaches = (folder: string) => succeeds(user, "test", "-x", folder);
  const existing = await realpathIfPresent(cluster);
  if (await reaches(existing ?? dataDir)) return undefined;
  const { uid, mode } = await stat(dataDir);
  if (uid === 0 && (await reaches(path.dirname(dataDir)))) {
    // Only root can still read the secrets in the folder.
    await chmod(dataDir, mode | 0o111);
    return undefined;
  }
  if (existing !== undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, and its user (${user.uid}) can't reach ${existing}: ` +
        "move the data folder to a place that every user can enter",
      ["other-folder"],
    );
  }
  await makePassable(sharedFolder);
  const elsewhere = await mkdtemp(path.join(sharedFolder, "data-"));
  await chmod(elsewhere, 0o711);
  log(
    `PostgreSQL can't run as root, and its user can't reach ${dataDir}: the database is kept in ${elsewhere}`,
  );
  return elsewhere;
}

/** The folder that was created for a cluster outside its data folder; undefined if the cluster is inside. */
export const folderElsewhere = (cluster: string, sharedFolder: string): string | undefined =>
  cluster.startsWith(`${sharedFolder}/`) ? path.dirname(cluster) : undefined;

/** The real path of a cluster; undefined if there is no cluster yet. */
async function realpathIfPresent(cluster: string): Promise<string | undefined> {
  const target = await readlink(cluster).catch(() => undefined);
  try {
    return await realpath(cluster);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    if (target === undefined) return undefined;
    throw new EmbeddedPostgresError(
      `${cluster} is a link to ${target}, which is gone: put it back, or remove the link to start with an empty database`,
    );
  }
}

/**
 * Creates a folder that every user may enter, unlike root's home.
 *
 * @throws EmbeddedPostgresError
 */
async function makePassable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o711);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, the user that it runs as can't reach this folder, and ${folder} ` +
        `can't be used either (${String(error)}): start as an ordinary user`,
      ["other-server"],
    );
  }
}
