import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { program, ROOT } from "../support/program.mjs";
import { doing, since } from "../support/say.mjs";

/** Where releases stay built for the next rehearsal. */
const BUILT = path.join(ROOT, ".data/rehearse/releases");

const git = async (...args) => (await program("git", ["-C", ROOT, ...args])).trim();
const lines = (text) => text.split("\n").filter(Boolean);
const numberOf = (name) => parseInt(path.basename(name), 10);

/** The migrations of a commit, each as `<object id> migrations/<name>`. */
async function migrationsOf(commit) {
  const entries = lines(await git("ls-tree", commit, "migrations/"));
  const files = entries.map((line) => line.split(/\s+/).slice(2).join(" "));
  return files.filter((file) => file.endsWith(".up.sql"));
}

/**
 * The last release before a migration, as its commit: it has all migrations up to one of a smaller number as they are
 * today, and no others. Candidates are the commits before those that added migrations.
 */
export async function releaseBefore(number) {
  const format = ["--reverse", "--format=%H", "--diff-filter=A"];
  const added = lines(await git("log", ...format, "--", "migrations/*.up.sql"));
  const today = await migrationsOf("HEAD");
  let found;
  for (const commit of added) {
    const parent = await git("rev-parse", "--verify", "--quiet", `${commit}^`).catch(() => "");
    if (parent === "") continue;
    const files = new Set(await migrationsOf(parent));
    const last = Math.max(...[...files].map(numberOf));
    // Branches may have added a later number first, and a migration may have been edited until it was released.
    const isWhole = today.every((file) => numberOf(file) > last || files.has(file));
    if (files.size > 0 && last < number && isWhole) found = parent;
  }
  if (!found) throw new Error(`The history has no release before migration ${number}`);
  return found;
}

/** Whether a release starts on a schema that is newer than itself. */
export async function startsOnNewerSchemas(commit) {
  const file = `${commit}:src/database/migrations/history.ts`;
  return (await git("show", file).catch(() => "")).includes('"newer"');
}

export const titleOf = (commit) => git("log", "-1", "--format=%h %s", commit);

/** The folder of a release, built with its own packages and build unless that was done before. */
export async function build(commit) {
  const folder = path.join(BUILT, commit.slice(0, 12));
  if (existsSync(folder)) return folder;
  doing(`building ${await titleOf(commit)}`);
  const started = performance.now();
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const archive = path.join(unfinished, "release.tar");
  await git("archive", "--output", archive, commit);
  await program("tar", ["-xf", archive, "-C", unfinished]);
  await program("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: unfinished });
  await program("npm", ["run", "build"], { cwd: unfinished });
  await rename(unfinished, folder);
  doing(`built in ${since(started)}`);
  return folder;
}
