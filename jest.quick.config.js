const { existsSync, readdirSync, readFileSync } = require("node:fs");
const { availableParallelism } = require("node:os");
const path = require("node:path");
const everything = require("./jest.config.js");

/** What starts a browser or another process. */
const STARTERS = ["node:child_process", "node:cluster", "playwright-core"];
const IMPORT = /^(?:import|export) (?!type )[^"]*?"([^"]+)";$/gm;

const texts = new Map();

function textOf(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(file, "utf8"));
  return texts.get(file);
}

/** The file that a relative import means; undefined for what is no TypeScript. */
function resolved(from, name) {
  const file = path.resolve(path.dirname(from), name);
  return [`${file}.ts`, path.join(file, "index.ts")].find(existsSync);
}

/** Whether a file, or what it imports, can start others. */
function startsOthers(file, seen = new Set()) {
  seen.add(file);
  return [...textOf(file).matchAll(IMPORT)].some(([, name]) => {
    if (!name.startsWith(".")) return STARTERS.includes(name);
    const next = resolved(file, name);
    return next !== undefined && !seen.has(next) && startsOthers(next, seen);
  });
}

/** Whether a test file says that it takes long: by its first line, or by a time limit of its own. */
const takesLong = (file) =>
  textOf(file).startsWith("/** @slow */\n") || textOf(file).includes("\njest.setTimeout(");

const tests = readdirSync(path.join(__dirname, "test"), { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => path.join(__dirname, "test", name));

/**
 * `npm run test:quick`: without the test files that can start a browser or another process, by what they
 * import, and without those that take long.
 *
 * @type {import("jest").Config}
 */
module.exports = {
  ...everything,
  // More would need more connections than PostgreSQL has.
  maxWorkers: Math.min(Math.max(availableParallelism() - 1, everything.maxWorkers), 5),
  testMatch: tests.filter((file) => !takesLong(file) && !startsOthers(file)),
};
