import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import semver from "semver";

/** The contracts that are frozen with each release, in `contracts/<version>/`. */
export const CONTRACTS = ["schema.graphql", "openapi.json"];
const FOLDER = "contracts";
const SUMS = `${FOLDER}/SHA256SUMS`;

/** The versions with frozen contracts, oldest first. */
export function frozenVersions(root) {
  const folder = path.join(root, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return semver.sort(names.filter((name) => semver.valid(name) === name));
}

/** The contracts of the newest release by their file names. Throws an Error where there are none. */
export function newestContracts(root) {
  const version = frozenVersions(root).at(-1);
  if (version === undefined) throw new Error(`${FOLDER}/ has the contracts of no release`);
  const text = (name) => readFileSync(path.join(root, FOLDER, version, name), "utf8");
  return { version, ...Object.fromEntries(CONTRACTS.map((name) => [name, text(name)])) };
}

/** What of the frozen contracts is not as the release command wrote it. */
export function frozenFaults(root) {
  const sums = existsSync(path.join(root, SUMS)) ? readFileSync(path.join(root, SUMS), "utf8") : "";
  const listed = new Map(
    [...sums.matchAll(/^(\S+) {2}(.+)$/gm)].map(([, sum, name]) => [name, sum]),
  );
  const files = frozenFiles(root);
  const names = [...new Set([...files, ...listed.keys()])].sort();
  const faults = names.flatMap((name) => {
    const fault = faultOf(listed.get(name), files.includes(name) && sumOf(root, name));
    return fault ? [`${FOLDER}/${name} ${fault}; only npm run release writes there`] : [];
  });
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const newest = frozenVersions(root).at(-1);
  if (version === newest) return faults;
  return [...faults, `package.json has version ${version}, but ${FOLDER}/ ends with ${newest}`];
}

function faultOf(listed, sum) {
  if (listed === undefined) return "is not listed in SHA256SUMS";
  if (!sum) return "is gone";
  return listed === sum ? undefined : "was changed after its release";
}

/** Freezes contracts, which are given by their file names, as those of a version. */
export function freeze(root, version, texts) {
  mkdirSync(path.join(root, FOLDER, version), { recursive: true });
  for (const name of CONTRACTS) {
    writeFileSync(path.join(root, FOLDER, version, name), texts[name], { flag: "wx" });
  }
  const lines = frozenFiles(root).map((name) => `${sumOf(root, name)}  ${name}\n`);
  writeFileSync(path.join(root, SUMS), lines.join(""));
}

/** All files but the sums, by their names below the folder. */
function frozenFiles(root) {
  return readdirSync(path.join(root, FOLDER), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      path.relative(path.join(root, FOLDER), path.join(parentPath, name)),
    )
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => `${FOLDER}/${name}` !== SUMS)
    .sort();
}

function sumOf(root, name) {
  const content = readFileSync(path.join(root, FOLDER, name));
  return createHash("sha256").update(content).digest("hex");
}
