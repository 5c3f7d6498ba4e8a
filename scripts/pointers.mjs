import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { contract, CONTRACT, lineOf } from "./contract.mjs";

/** Where pointers to clauses are looked for, and pages whose links are followed. */
const CODE = /^(src|test|scripts|bench)\/.*\.(ts|mjs|cjs)$/;
const PAGES = /^(docs\/)?[^/]+\.md$/;
/** A history of what was true. */
const HISTORY = "CHANGELOG.md";

/** `contract 4.orders.3`, also where a comment breaks the line between the two words. */
const POINTER = /\bcontract[\s*/]+(\d+(?:\.[a-z0-9-]+)*)/g;
/** A page by its name, where the code should point at a clause. */
const CITATION = /\b((?:spec|contract)\.md)\b/g;
/** The target of a link or an image of Markdown. */
const LINK = /\]\(([^()\s]+)\)/g;

/**
 * What points nowhere, as `file:line: …`: pointers to clauses that the contract does not have, in code
 * and pages, and links of the pages to files and anchors that are not there. A pointer may name a group,
 * such as 4.orders.
 */
export function deadPointers(root) {
  const ids = [...contract(root).keys()];
  const leads = (id) => ids.some((each) => each === id || each.startsWith(`${id}.`));
  const files = ["src", "test", "scripts", "bench", "docs", "."].flatMap((folder) =>
    filesOf(root, folder),
  );
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    const faults = matches(text, POINTER)
      .filter(({ found }) => !leads(found))
      .map(({ found, line }) => `${file}:${line}: ${CONTRACT} has no clause ${found}`);
    if (file.startsWith("src/")) {
      const cited = matches(text, CITATION);
      faults.push(...cited.map(({ found, line }) => `${file}:${line}: ${found} is no clause`));
    }
    return PAGES.test(file) ? [...faults, ...deadLinks(root, file, text)] : faults;
  });
}

function filesOf(root, folder) {
  const place = path.join(root, folder);
  if (!existsSync(place)) return [];
  return readdirSync(place, { recursive: folder !== "." })
    .map((name) => path.join(folder, name).split(path.sep).join("/"))
    .filter((file) => (CODE.test(file) || PAGES.test(file)) && file !== HISTORY)
    .sort();
}

function deadLinks(root, file, text) {
  return matches(withoutCode(text), LINK)
    .filter(({ found }) => !/^[a-z]+:/.test(found) && !isThere(root, file, found))
    .map(({ found, line }) => `${file}:${line}: nothing is at ${found}`);
}

function isThere(root, file, link) {
  const [name, anchor] = link.split("#");
  const target = name === "" ? file : path.join(path.dirname(file), name);
  const place = path.join(root, target);
  if (!existsSync(place)) return false;
  if (anchor === undefined || !target.endsWith(".md") || statSync(place).isDirectory()) return true;
  if (!anchors.has(place)) anchors.set(place, anchorsOf(readFileSync(place, "utf8")));
  return anchors.get(place).has(anchor);
}

/** The anchors of pages, which many links lead to. */
const anchors = new Map();

/** Anchors of a page's own, and those that GitHub makes of its headings. */
function anchorsOf(text) {
  const own = matches(text, /<a id="([^"]+)">/g);
  const headings = matches(withoutCode(text), /^#+ (.+)$/gm);
  return new Set([...own.map(({ found }) => found), ...headings.map(({ found }) => slugOf(found))]);
}

const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** The text with its blocks of code emptied, at the same lines. */
const withoutCode = (text) =>
  text.replace(/^```.*?^```/gms, (block) => block.replace(/[^\n]/g, ""));

function matches(text, pattern) {
  return [...text.matchAll(pattern)].map((match) => ({
    found: match[1],
    line: lineOf(text, match.index),
  }));
}
