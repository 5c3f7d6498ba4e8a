import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The page that says what is built, clause by clause. */
export const CONTRACT = "docs/contract.md";

const CLAUSE = /^- <a id="([^"]*)"><\/a>\*\*([^*]*)\*\* \S/;
const ID = /^\d+(\.[a-z0-9-]+)+$/;
/** A call of test/support/clause.ts, with its name, id, text and doors as literals. */
const SHOWN =
  /\b(clause|graphqlClause)(?:Each)?(?:<[^]*?>)?\(\s*"([^"]+)",\s*(?:"[^"]*"|`[^`]*`)(?:,\s*\{ doors: \[([^\]]*)\])?/g;
/** The first line of a file that `npm test` leaves to `npm run check`. */
export const CHECK = "/** @check */\n";

/**
 * The lines of the contract's clauses by their ids. A clause is a list item that begins with its id, once as an
 * anchor and once in bold. Throws an Error that names file and line.
 */
export function contract(root) {
  const clauses = new Map();
  let section;
  const lines = readFileSync(path.join(root, CONTRACT), "utf8").split("\n");
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    const fail = (message) => {
      throw new Error(`${CONTRACT}:${line}: ${message}`);
    };
    section = /^## (\d+)\. /.exec(text)?.[1] ?? section;
    if (!text.includes('<a id="')) continue;
    const [, id, shown] =
      CLAUSE.exec(text) ?? fail("not a clause: - <a id=…></a>**id** and a text");
    if (id !== shown) fail(`the anchor ${id} stands before ${shown}`);
    if (!ID.test(id)) fail(`not a section and a clause of it, such as 4.orders.3: ${id}`);
    if (clauses.has(id)) fail(`${id} is there twice`);
    if (id.split(".")[0] !== section) fail(`${id} stands in another section`);
    clauses.set(id, line);
  }
  return clauses;
}

/**
 * Clauses that no test of `npm test` shows at each API at which any test does, and tests that show a clause that the
 * contract doesn't have, as `file:line: …`.
 */
export function unproven(root) {
  const clauses = contract(root);
  const shown = testFiles(root).flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    const calls = text.includes("support/clause") ? [...text.matchAll(SHOWN)] : [];
    return calls.map(({ 1: name, 2: id, 3: given, index }) => {
      const doors = given ?? (name === "clause" ? '"REST"' : '"GraphQL"');
      const place = `${file}:${lineOf(text, index)}`;
      return { id, doors: doors.match(/\w+/g), place, isChecked: text.startsWith(CHECK) };
    });
  });
  const doorsOf = (id, tests) =>
    new Set(tests.flatMap((test) => (test.id === id ? test.doors : [])));
  const always = shown.filter(({ isChecked }) => !isChecked);
  return [
    ...shown
      .filter(({ id }) => !clauses.has(id))
      .map(({ id, place }) => `${place}: ${CONTRACT} has no clause ${id}`),
    ...[...clauses].flatMap(([id, line]) => {
      const doors = doorsOf(id, shown);
      if (doors.size === 0) return [`${CONTRACT}:${line}: no test shows ${id}`];
      const shownAlways = doorsOf(id, always);
      return [...doors]
        .filter((door) => !shownAlways.has(door))
        .map((door) => `${CONTRACT}:${line}: only npm run check shows ${id} at ${door}`);
    }),
  ];
}

const testFiles = (root) =>
  readdirSync(path.join(root, "test"), { recursive: true })
    .map((name) => path.join("test", name).split(path.sep).join("/"))
    .filter((file) => /^test\/conformance\/.*\.ts$|\.test\.ts$/.test(file))
    .sort();

/** The number of the line that has this index of a text. */
export const lineOf = (text, index) => text.slice(0, index).split("\n").length;
