import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { hash, read } from "./files.mjs";

const compress = promisify(brotliCompress);

/** Lists other files that belong to the pages of its folder: where each goes, and where below node_modules it is. */
const PACKAGES = path.join("static", "packages.json");
/** Files for browsers, which are sent compressed to those that take it. */
const ASSETS = path.join("static", "assets", path.sep);

export const isListOfPackages = (name) => name.endsWith(PACKAGES);
export const isAsset = (name) => name.includes(ASSETS);

/** The files of packages that the lists among these sources name, each with its path below node_modules. */
export const packagedFiles = (src, sources) =>
  sources.filter(isListOfPackages).flatMap((list) => {
    const files = JSON.parse(readFileSync(path.join(src, list), "utf8"));
    return Object.entries(files).map(([name, from]) => ({
      name: path.join(path.dirname(list), name),
      from,
    }));
  });

/** Copies a listed file unless that has been done, and returns the names of what it becomes. */
export async function copyPackaged(output, modules, { name, from }) {
  const content = read(modules, from);
  if (!content) throw new Error(`${name}: there is no node_modules/${from}; run npm ci`);
  if (from.endsWith(".md")) return writeAsset(output, name, Buffer.from(queriesIn(content)));
  if (!name.endsWith(".css")) return writeAsset(output, name, content);
  const stamp = `\n/* source=${hash(content, read(modules, "postcss/package.json"))} */\n`;
  const built = output.read(name);
  if (built?.toString().endsWith(stamp)) return writeAsset(output, name, built);
  return writeAsset(output, name, Buffer.from((await withoutFonts(content.toString())) + stamp));
}

/** The queries of a page, each with its variables, as GraphiQL's tabs. */
function queriesIn(page) {
  const blocks = /^```graphql\n([^]+?)\n```\n+```json\n([^]+?)\n```$/gm;
  const found = [...page.toString().matchAll(blocks)];
  return JSON.stringify(found.map(([, query, variables]) => ({ query, variables })));
}

/** Writes a file and its compressed form unless that has been done, and returns their names. */
export async function writeAsset(output, name, content) {
  const compressed = `${name}.br`;
  // The file is written after its compressed form, so it stands for both.
  if (!output.read(compressed) || !output.read(name)?.equals(content)) {
    output.write(compressed, await compress(content));
    output.write(name, content);
  }
  return [name, compressed];
}

/** The stylesheet without the fonts that are embedded in it: browsers show their system's. */
async function withoutFonts(text) {
  const { default: postcss } = await import("postcss");
  const stylesheet = postcss.parse(text);
  stylesheet.walkAtRules("font-face", (rule) => void rule.remove());
  return stylesheet.toString();
}
