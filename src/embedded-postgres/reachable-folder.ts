import { chmod, mkdtemp, readlink, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { EmbeddedPostgresError } from "./error";
import { errorCode } from "./files";
import type { PlacementOptions } from "./placement";
import { makePassable } from "./shared-folder";
import { succeeds, type SystemUser } from "./system-user";

/**
 * Makes sure that a user can reach a cluster; undefined where it can, else a folder of the shared one for
 * a new cluster.
 *
 * @throws EmbeddedPostgresError where there is no way
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
    // What is secret in it stays readable by root alone.
    await chmod(dataDir, mode | 0o111);
    return undefined;
  }
  if (existing !== undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, and its user (${user.uid}) can't reach ${existing}: ` +
        "put the data folder where everyone may pass",
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

/** The folder that was made for a cluster elsewhere; undefined where the cluster is in its data folder. */
export const folderElsewhere = (cluster: string, sharedFolder: string): string | undefined =>
  cluster.startsWith(`${sharedFolder}/`) ? path.dirname(cluster) : undefined;

/** The folder that a cluster's name leads to; undefined where there is none yet. */
async function realpathIfPresent(cluster: string): Promise<string | undefined> {
  const target = await readlink(cluster).catch(() => undefined);
  try {
    return await realpath(cluster);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    if (target === undefined) return undefined;
    throw new EmbeddedPostgresError(
      `${cluster} leads to ${target}, which is gone: put it back, or remove the link to begin anew`,
    );
  }
}
