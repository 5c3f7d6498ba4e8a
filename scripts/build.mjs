// Builds dist from src: TypeScript is compiled, the texts and the explorer's files are copied. Types are
// not checked here but by `npm run types`. Only what changed is written, so a build after a build is quick,
// and builds may run beside each other.
import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const src = path.join(root, "src");
const dist = path.join(root, "dist");
/** Files are written here and then moved, so that nobody reads half a file. */
const unfinished = ".unfinished";

/** What the code depends on beside its source. */
const compiler = ["node_modules/@swc/core/package.json", ".swcrc", "scripts/build.mjs"];
const conditions = compiler.map((name) => readFileSync(path.join(root, name)));

mkdirSync(path.join(dist, unfinished), { recursive: true });
const sources = filesOf(src).filter((name) => !name.endsWith(".md"));
const built = await Promise.all(
  sources.map((name) => (isScript(name) ? compile(name) : copy(name))),
);
prune(new Set([...built.flat(), writeId()]));

/** Compiles a file unless that has been done, and returns the names of what it becomes. */
async function compile(name) {
  const target = name.replace(/\.ts$/, ".js");
  const source = read(src, name);
  const stamp = `\n//# source=${hash(...conditions, name, source)}\n`;
  const isThere = existsSync(path.join(dist, `${target}.map`));
  // The stamp ends the code, which is written after the map, so it stands for both.
  if (!isThere || !read(dist, target)?.toString().endsWith(stamp)) {
    const { transform } = await import("@swc/core");
    const filename = path.join(src, name);
    const sourceFileName = path.relative(path.dirname(path.join(dist, name)), filename);
    const sourceMaps = { sourceMaps: true, inlineSourcesContent: false, sourceFileName };
    const { code, map } = await transform(source.toString(), { filename, ...sourceMaps });
    write(`${target}.map`, map);
    write(target, `${code}//# sourceMappingURL=${path.basename(target)}.map${stamp}`);
  }
  return [target, `${target}.map`];
}

function copy(name) {
  const content = read(src, name);
  if (!read(dist, name)?.equals(content)) write(name, content);
  return [name];
}

/** Identifies the build in `build-id`: builds that could answer differently have different ids. */
function writeId() {
  const inputs = ["package.json", "package-lock.json", ...compiler];
  const names = [...inputs, ...sources.map((name) => path.join("src", name))].sort();
  const id = hash(...names.flatMap((name) => [name, readFileSync(path.join(root, name))]));
  if (read(dist, "build-id")?.toString() !== id) write("build-id", id);
  return "build-id";
}

/**
 * Removes files whose source is gone: the dist/models.js of an older checkout would be loaded in place of
 * dist/models/index.js.
 */
function prune(kept) {
  const gone = filesOf(dist).filter((name) => !kept.has(name) && !name.startsWith(unfinished));
  for (const name of gone) rmSync(path.join(dist, name), { force: true });
}

/** The names of all files in a folder, with those of its folders. */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

function isScript(name) {
  return name.endsWith(".ts");
}

/** What a file contains; nothing if it is not there. */
function read(folder, name) {
  try {
    return readFileSync(path.join(folder, name));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function write(name, content) {
  const temporary = path.join(dist, unfinished, randomBytes(8).toString("hex"));
  const target = path.join(dist, name);
  writeFileSync(temporary, content);
  mkdirSync(path.dirname(target), { recursive: true });
  renameSync(temporary, target);
}

function hash(...parts) {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part).update("\0");
  return digest.digest("base64url");
}
