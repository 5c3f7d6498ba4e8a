import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { program, type Binaries } from "./binaries";
import { EmbeddedPostgresError } from "./error";
import { errorCode } from "./files";
import type { PlacementOptions } from "./placement";
import { makePassable } from "./shared-folder";
import { succeeds, type SystemUser } from "./system-user";

/**
 * Binaries that a user can run: the installed ones or, if the user can't reach them, a copy in the shared folder.
 *
 * @throws EmbeddedPostgresError if the user can't run either
 */
export async function reachableBinaries(
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
