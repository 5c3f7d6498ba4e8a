// Makes a release ready to commit: npm run release -- 0.2.0. Sets the version, freezes the contracts as
// contracts/<version>/, which nothing else writes, and dates the changelog's section Unreleased.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import semver from "semver";
import { CONTRACTS, freeze, frozenVersions } from "./breaking/frozen.mjs";

const root = path.dirname(import.meta.dirname);
const changelog = path.join(root, "CHANGELOG.md");
const [version] = process.argv.slice(2);

try {
  refuseUnlessReady();
  run("npm", "version", version, "--no-git-tag-version");
  const { generated } = await import("./generated.mjs"); // after the build that the check has made
  const texts = await generated(root);
  for (const name of CONTRACTS) writeFileSync(path.join(root, name), texts[name]);
  freeze(root, version, texts);
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, dated(readFileSync(changelog, "utf8"), today));
  console.log(`Release ${version} is ready. Look through it, then:

  git add --all && git commit --message "Release ${version}"
  git tag --annotate v${version} --message "Release ${version}"`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function refuseUnlessReady() {
  if (semver.valid(version) !== version || semver.prerelease(version)) {
    throw new Error(`${version ?? "Nothing"} is no version of a release, such as 0.2.0`);
  }
  const newest = frozenVersions(root).at(-1);
  if (!semver.gt(version, newest)) throw new Error(`${version} is not newer than ${newest}`);
  if (git("status", "--porcelain") !== "") {
    throw new Error("There are changes that are not committed; commit or stash them first");
  }
  dated(readFileSync(changelog, "utf8"), "");
  run("npm", "run", "--silent", "contracts:check");
}

/** The changelog with the release's section below a new one for what comes next. */
function dated(text, date) {
  const heading = "## [Unreleased]\n";
  const [before, after, ...others] = text.split(heading);
  if (after === undefined || others.length > 0) {
    throw new Error("CHANGELOG.md has not one section Unreleased");
  }
  if (after.split(/^## /m)[0].trim() === "") {
    throw new Error("CHANGELOG.md says nothing of this release under Unreleased");
  }
  return `${before}${heading}\n## [${version}] - ${date}\n${after}`;
}

function git(...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

function run(command, ...args) {
  try {
    execFileSync(command, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  } catch {
    throw new Error(`${[command, ...args].join(" ")} failed; nothing is released`);
  }
}
