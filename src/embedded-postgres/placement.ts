import path from "node:path";
import type { Binaries } from "./binaries";
import { EmbeddedPostgresError } from "./error";
import { ownerIfPresent } from "./files";
import { reachableBinaries } from "./reachable-binaries";
import { reachableFolder } from "./reachable-folder";
import { isRoot, lookUpUser, type SystemUser } from "./system-user";

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

export interface PlacementOptions {
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
