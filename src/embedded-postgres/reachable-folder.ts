import { chmod, mkdtemp, readlink, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { EmbeddedPostgresError } from "./error";
import { errorCode } from "./files";
import type { PlacementOptions } from "./placement";
import { makePassable } from "./shared-folder";
import { succeeds, type SystemUser } from "./system-user";

/**
 * Ensures that a user can reach a cluster. Returns undefined if the user can. Otherwise returns a folder for a new
 * cluster, inside the shared folder.
 *
 * @throws EmbeddedPostgresError if neither is possible
 */
export async function reachableFolder(
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
