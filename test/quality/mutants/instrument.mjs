import { readFileSync } from "node:fs";
import path from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";

const silent = () => undefined;
const logger = Object.fromEntries(
  ["trace", "debug", "info", "warn", "error", "fatal"].map((level) => [level, silent]),
);
logger.isDebugEnabled = () => false;

/** Descriptions in the schema are no behaviour; `npm run contracts:check` compares them. */
const descriptions = {
  shouldIgnore(node) {
    const isDescription =
      node.isObjectProperty() &&
      node.node.key.name === "description" &&
      !!node.findParent(isDecorator);
    return isDescription ? "a description, which npm run contracts:check compares" : undefined;
  },
};
const isDecorator = (node) => node.isDecorator();

/**
 * Stryker's mutants of these files, in whose instrumented code each is switched on by its id. A mutant is named
 * by its file, its place and what it puts there. Comments `// Stryker disable next-line …: reason` explain
 * mutants that change nothing.
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
    ignorers: [descriptions],
  });
  const contents = new Map(sources.map(({ name, content }) => [name, content]));
  return {
    instrumented: instrumented.map(({ name, content }) => ({ name, content: counting(content) })),
    mutants: mutants.map((mutant) => described(mutant, contents.get(mutant.fileName))),
  };
}

/** Counting what is met costs more than most tests, and is wanted only while the lanes look for what each meets. */
function counting(content) {
  const counter = "function cover() {";
  const hasMutants = content.includes("stryCov_");
  if (hasMutants && !content.includes(counter)) throw new Error("Stryker counts in another way");
  return content.replace(counter, `${counter} if (!ns.isCounting) return;`);
}

function described(
  { id, fileName: file, location, mutatorName, replacement, statusReason },
  content,
) {
  const [from, to] = [offsetOf(content, location.start), offsetOf(content, location.end)];
  return {
    id,
    file,
    line: location.start.line + 1,
    mutator: mutatorName,
    original: content.slice(from, to),
    replacement,
    from,
    to,
    explained: statusReason,
    name: `${file}:${location.start.line + 1}:${location.start.column + 1} ${mutatorName} ${replacement}`,
  };
}

function offsetOf(content, { line, column }) {
  let start = 0;
  for (let passed = 0; passed < line; passed += 1) start = content.indexOf("\n", start) + 1;
  return start + column;
}
