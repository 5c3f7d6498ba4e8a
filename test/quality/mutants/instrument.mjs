import { readFileSync } from "node:fs";
import path from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { explained } from "./explained.mjs";

const silent = () => undefined;
const logger = Object.fromEntries(
  ["trace", "debug", "info", "warn", "error", "fatal"].map((level) => [level, silent]),
);
logger.isDebugEnabled = () => false;

/** Decorators and functions whose arguments appear in a contract. */
const WRITE_CONTRACTS = ["ArgsType", "Field", "InputType", "Documented", "registerEnumType"];

/** Ignores texts of the contracts: `npm run contracts:check` compares them, which is quicker than tests. */
const contracts = {
  shouldIgnore(node) {
    const { callee } = node.parent ?? {};
    const writes = node.listKey === "arguments" && WRITE_CONTRACTS.includes(callee?.name);
    return writes ? "npm run contracts:check compares what the contracts say" : undefined;
  },
};

/** Ignores the whole names of prepared statements: named-statements.test.ts checks that they differ. */
const statementNames = {
  shouldIgnore(node) {
    if (!node.isStringLiteral() && !node.isTemplateLiteral()) return undefined;
    const { parentPath: parent } = node;
    const property = parent?.isConditionalExpression() ? parent.parentPath : parent;
    const isName = property?.isObjectProperty() && property.node.key.name === "name";
    // An expression within a template makes names differ, so it is mutated.
    const isPlain = node.isStringLiteral() || node.node.expressions.length === 0;
    return isName && isPlain ? "the names of prepared statements only need to differ" : undefined;
  },
};

/**
 * Stryker's mutants of these files, and the instrumented code, in which each mutant is switched on by its id. A
 * mutant's name has its file, its place and its replacement. Comments `// Stryker disable next-line …: reason`
 * explain mutants that change nothing.
 */
export async function mutate(root, files) {
  const sources = files.map((name) => ({
    name,
    mutate: true,
    content: readFileSync(path.join(root, name), "utf8"),
  }));
  const { files: instrumented, mutants } = await new Instrumenter(logger).instrument(sources, {
    plugins: ["decorators-legacy", "typescript"],
    excludedMutations: [],
    ignorers: [contracts, statementNames],
  });
  const contents = new Map(sources.map(({ name, content }) => [name, content]));
  return {
    instrumented: instrumented.map(({ name, content }) => ({ name, content: counting(content) })),
    mutants: mutants.map((mutant) => described(mutant, contents.get(mutant.fileName))),
  };
}

/** Makes counting optional: it costs more than most tests, and is needed only while coverage is measured. */
function counting(content) {
  const counter = "function cover() {";
  const hasMutants = content.includes("stryCov_");
  if (hasMutants && !content.includes(counter)) throw new Error("Stryker counts in another way");
  return content.replace(counter, `${counter} if (!ns.isCounting) return;`);
}

function described(mutant, content) {
  const { id, fileName: file, location, mutatorName: mutator, replacement, statusReason } = mutant;
  const [from, to] = [offsetOf(content, location.start), offsetOf(content, location.end)];
  const line = location.start.line + 1;
  return {
    ...{ id, file, line, mutator, original: content.slice(from, to), replacement, from, to },
    explained: statusReason ?? reasonOf({ file, from, to, replacement }, content),
    name: `${file}:${line}:${location.start.column + 1} ${mutator} ${replacement}`,
  };
}

function reasonOf({ file, from, to, replacement }, content) {
  const reason = explained.find(({ file: where, find, by }) => {
    if (where !== file || (by && !by.includes(replacement))) return false;
    const [start, ...others] = placesOf(find, content);
    if (start === undefined || others.length > 0) {
      throw new Error(`${file} does not have this exactly once: ${find}`);
    }
    return from >= start && to <= start + find.length;
  });
  return reason?.why;
}

function placesOf(text, content) {
  const places = [];
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) places.push(at);
  return places;
}

function offsetOf(content, { line, column }) {
  let start = 0;
  for (let passed = 0; passed < line; passed += 1) start = content.indexOf("\n", start) + 1;
  return start + column;
}
