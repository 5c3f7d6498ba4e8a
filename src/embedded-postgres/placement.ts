import path from "node:path";
import type { Binaries } from "./binaries";
import { EmbeddedPostgresError } from "./error";
import { ownerIfPresent } from "./files";
import { reachableBinaries } from "./reachable-binaries";
import { reachableFolder } from "./reachable-folder";
import { isRoot, lookUpUser, type SystemUser } from "./system-user";

/** Where a cluster lives, and who runs it. */
export interface Placement {
  readonly binaries: Binaries;
  /** `postgres` in the data folder: the cluster, or a link to where it is. */
  readonly cluster: string;
  /** A folder that `user` can reach, for a new cluster: a link leads there from `cluster`; undefined: none is needed. */
  readonly elsewhere: string | undefined;
  /** PostgreSQL refuses to run as root; undefined is this process's own user. */
  readonly user: SystemUser | undefined;
}

/** What placing a cluster depends on. */
export interface PlacementOptions {
  readonly dataDir: string;
  readonly sharedFolder: string;
  readonly binaries: Binaries;
  readonly log: (line: string) => void;
}

/**
 * Finds a user to run PostgreSQL as, and folders that this user can reach. Of the folders above the
 * data folder none is changed.
 *
 * @throws EmbeddedPostgresError where there is no way
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
      `${cluster} belongs to root, as whom PostgreSQL refuses to run: ` +
        "give it back to the user that ran it (chown -R), or move it away",
    );
  }
  const user = (await lookUpUser("postgres")) ?? (await lookUpUser("nobody"));
  if (user !== undefined) return user;
  throw new EmbeddedPostgresError(
    "PostgreSQL refuses to run as root, and this system has neither a user postgres nor nobody: " +
      "start as an ordinary user",
    ["other-server"],
  );
}
