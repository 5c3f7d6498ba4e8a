// Builds dist from src: TypeScript is compiled, data and the files of pages are copied, those for browsers also
// compressed. Types are not checked here but by `npm run types`. Only what changed is written, so a build after
// a build is quick, and builds may run beside each other.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import {
  copyPackaged,
  isAsset,
  isListOfPackages,
  packagedFiles,
  writeAsset,
} from "./build/assets.mjs";
import { filesOf, hash, Output, read } from "./build/files.mjs";

const root = path.dirname(import.meta.dirname);
const src = path.join(root, "src");
const modules = path.join(root, "node_modules");
const output = new Output(path.join(root, "dist"));

/** What the code depends on beside its source. */
const compiler = [
  "node_modules/@swc/core/package.json",
  ".swcrc",
  ...["scripts/build.mjs", "scripts/build/assets.mjs", "scripts/build/files.mjs"],
];
const conditions = compiler.map((name) => readFileSync(path.join(root, name)));

const sources = filesOf(src).filter((name) => !name.endsWith(".md"));
const built = await Promise.all([
  ...sources.filter((name) => !isListOfPackages(name)).map(build),
  ...packagedFiles(src, sources).map((file) => copyPackaged(output, modules, file)),
]);
output.prune(new Set([...built.flat(), writeId()]));

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

/** Identifies the build in `build-id`: builds that could answer differently have different ids. */
function writeId() {
  const inputs = ["package.json", "package-lock.json", ...compiler];
  const names = [...inputs, ...sources.map((name) => path.join("src", name))].sort();
  const id = hash(...names.flatMap((name) => [name, readFileSync(path.join(root, name))]));
  if (output.read("build-id")?.toString() !== id) output.write("build-id", id);
  return "build-id";
}
