// Builds dist from src, admin and openapi.yaml: TypeScript is compiled, the admin app is bundled, data and the files of
// pages are copied, those for browsers also compressed. Types are not checked here but by `npm run types`. Only what
// changed is written, so a build after a build is quick, and builds may run beside each other.
import "./build/requirements.mjs";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import {
  copyPackaged,
  isAsset,
  isListOfPackages,
  packagedFiles,
  writeAsset,
} from "./build/assets.mjs";
import { adminSources, bundleAdmin } from "./build/admin.mjs";
import { filesOf, hash, Output, read } from "./build/files.mjs";

const root = path.dirname(import.meta.dirname);
const src = path.join(root, "src");
const modules = path.join(root, "node_modules");

process.on("uncaughtException", (error) => {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  const sentence = `dist can't be written (${message}): see who owns this checkout, and whether its disk has room.`;
  console.error(NOT_WRITABLE.has(code) ? sentence : error);
  process.exit(1);
});
/** What the system says where this user can't write, or nobody can. */
const NOT_WRITABLE = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST"]);
const output = new Output(path.join(root, "dist"));

/** What the code depends on beside its source. */
const compiler = [
  "node_modules/@swc/core/package.json",
  ".swcrc",
  "node_modules/esbuild/package.json",
  "scripts/build.mjs",
  ...["admin", "assets", "files"].map((name) => `scripts/build/${name}.mjs`),
];
const conditions = compiler.map((name) => readFileSync(path.join(root, name)));

const began = performance.now();
let compiled = 0;

const sources = filesOf(src).filter((name) => !name.endsWith(".md"));
const built = await Promise.all([
  ...sources.filter((name) => !isListOfPackages(name)).map(build),
  bundleAdmin(output, conditions),
  ...packagedFiles(src, sources).map((file) => copyPackaged(output, modules, file)),
]);
output.prune(new Set([...built.flat(), await writeOpenapi(), writeId(), writeRelease()]));
if (compiled > 0) {
  tell(`  Built ${compiled} files in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/** Builds a file of src, and returns the names of what it becomes. */
async function build(name) {
  if (name.endsWith(".ts")) return compile(name);
  const content = read(src, name);
  if (isAsset(name)) return writeAsset(output, name, content);
  if (!output.read(name)?.equals(content)) output.write(name, content);
  return [name];
}

/** Compiles a file unless that has been done. */
async function compile(name) {
  const target = name.replace(/\.ts$/, ".js");
  const source = read(src, name);
  const stamp = `\n//# source=${hash(...conditions, name, source)}\n`;
  const isThere = existsSync(path.join(output.folder, `${target}.map`));
  // The stamp ends the code, which is written after the map, so it stands for both.
  if (!isThere || !output.read(target)?.toString().endsWith(stamp)) {
    if (compiled++ === 0) tell("  Building …");
    const { transform } = await import("@swc/core");
    const filename = path.join(src, name);
    const sourceFileName = path.relative(path.dirname(path.join(output.folder, name)), filename);
    const sourceMaps = { sourceMaps: true, inlineSourcesContent: false, sourceFileName };
    const { code, map } = await transform(source.toString(), { filename, ...sourceMaps });
    output.write(`${target}.map`, map);
    output.write(target, `${code}//# sourceMappingURL=${path.basename(target)}.map${stamp}`);
  }
  return [target, `${target}.map`];
}

/** Writes the document that is served at /openapi.json, with the version of package.json. */
async function writeOpenapi() {
  const { CORE_SCHEMA, load, mergeTag } = await import("js-yaml");
  const text = readFileSync(path.join(root, "openapi.yaml"), "utf8");
  const read = load(text, { schema: CORE_SCHEMA.withTags(mergeTag) });
  const document = /** @type {{ info: { version: string } }} */ (read);
  document.info.version = packageVersion();
  writeChanged("openapi.json", JSON.stringify(document));
  return "openapi.json";
}

/** Identifies the build in `build-id`: builds that could answer differently have different ids. */
function writeId() {
  const inputs = ["package.json", "package-lock.json", "openapi.yaml", ...compiler];
  const names = [
    ...inputs,
    ...adminSources(),
    ...sources.map((name) => path.join("src", name)),
  ].sort();
  const id = hash(...names.flatMap((name) => [name, readFileSync(path.join(root, name))]));
  writeChanged("build-id", id);
  return "build-id";
}

/** Says in `release.json` what is built; a build outside a repository may name its commit in GIT_COMMIT. */
function writeRelease() {
  writeChanged("release.json", JSON.stringify({ version: packageVersion(), commit: commit() }));
  return "release.json";
}

function packageVersion() {
  return JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")).version;
}

function writeChanged(name, text) {
  if (output.read(name)?.toString() !== text) output.write(name, text);
}

function commit() {
  if (process.env.GIT_COMMIT) return process.env.GIT_COMMIT.slice(0, 12);
  if (!existsSync(path.join(root, ".git"))) return "unknown";
  try {
    return execFileSync("git", ["rev-parse", "--short=12", "HEAD"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown"; // there is no git, or no commit yet
  }
}

/** Tells a person at a terminal what is going on; programs may read what follows as a log. */
function tell(text) {
  if (process.stdout.isTTY) console.log(text);
}
