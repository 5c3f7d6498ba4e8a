import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { contract, CONTRACT } from "./contract.mjs";

const FOLDER = "test";
const CONFORMANCE = "conformance/";
const FILE = /^conformance\/section-\d+-[a-z0-9-]+\.test\.ts$/;
const DOORS = ["REST", "GraphQL"];
const CALLEES = ["clause", "clauseEach"];

const introduction = `# Conformance

The clauses of the [contract](contract.md) and the tests that show them, by section. This page is generated from the tests by \`npm run contracts\`; in the output of \`npm test\` each test carries its clause in brackets.
`;

/**
 * The table of all clauses and their tests, as Markdown. Throws an Error that names file and line, also
 * where a test shows a clause that the contract doesn't have, or no test shows one that it has.
 */
export function conformance(root) {
  const sections = contract(root);
  const titles = new Set();
  const tests = testFiles(root).flatMap((name) => read(path.join(root, FOLDER), name, titles));
  const clauses = sections.flatMap((section) => section.clauses);
  const known = new Set(clauses.map(({ id }) => id));
  const shown = new Set(tests.map(({ id }) => id));
  const faults = [
    ...tests
      .filter(({ id }) => !known.has(id))
      .map(({ id, place }) => `${place}: ${CONTRACT} has no clause ${id}`),
    ...clauses
      .filter(({ id }) => !shown.has(id))
      .map(({ id, line }) => `${CONTRACT}:${line}: no test shows ${id}`),
  ];
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return [introduction, ...sections.map((each) => section(each, tests))].join("\n");
}

const testFiles = (root) =>
  readdirSync(path.join(root, FOLDER), { recursive: true })
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => name.endsWith(".test.ts") || name.startsWith(CONFORMANCE))
    .filter((name) => name.endsWith(".ts"))
    .sort();

function section({ number, title, clauses }, tests) {
  const heading = `## ${number}. ${title}\n`;
  const here = clauses.flatMap(({ id }) => tests.filter((each) => each.id === id));
  if (here.length === 0) return `${heading}\nThe contract has no clause to test here.\n`;
  const files = [...new Set(here.map(({ file }) => file))].sort();
  const links = files.map((file) => `[${path.basename(file)}](../${FOLDER}/${file})`).join(", ");
  const rows = here.map(({ id, text, doors }) => {
    const marks = DOORS.map((door) => (doors.includes(door) ? "✓" : "–"));
    return `| ${[`[${id}](contract.md#${id})`, escape(text), ...marks].join(" | ")} |`;
  });
  const table = ["| Clause | What the test shows | REST | GraphQL |", "|---|---|---|---|", ...rows];
  return `${heading}\nTests: ${links}\n\n${table.join("\n")}\n`;
}

/** What is text in a test is text in the table. */
const escape = (text) => text.replace(/[\\`*_{}[\]<>|~#]/g, "\\$&");

/** The clause tests of one file, in its order. `titles` collects those of all files. */
function read(folder, name, titles) {
  if (name.startsWith(CONFORMANCE) && !FILE.test(name)) {
    throw new Error(`${FOLDER}/${name}: is not named section-<number>-<noun>.test.ts`);
  }
  const text = readFileSync(path.join(folder, name), "utf8");
  if (!text.includes("support/clause")) return [];
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const tests = [];
  const visit = (node) => {
    if (isCallee(node)) {
      const call = callOf(node, source);
      const shown = clauseOf(call, source);
      const title = `[${shown.id}] ${shown.text}`;
      if (titles.has(title)) fail(call, source, `${title} is there twice`);
      titles.add(title);
      tests.push({ ...shown, file: name, place: placeOf(call, source) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return tests;
}

/** Whether the node is a use of the clause functions, other than their plain import. */
const isCallee = (node) =>
  ts.isIdentifier(node) &&
  CALLEES.includes(node.text) &&
  !(ts.isImportSpecifier(node.parent) && node.parent.getChildCount() === 1);

function callOf(node, source) {
  const call = node.parent;
  if (ts.isCallExpression(call) && call.expression === node) return call;
  return fail(node, source, `${node.text} must be called by its name`);
}

/** How many arguments a call has that says more of its clause than id and text. */
const WITH_OPTIONS = { clause: 4, clauseEach: 5 };

function clauseOf(call, source) {
  const [idNode, textNode, options] = call.arguments;
  const id = literal(idNode, "the clause's id", call, source);
  const text = literal(textNode, "the clause's text", call, source);
  const takesOptions = call.arguments.length === WITH_OPTIONS[call.expression.text];
  const doors = takesOptions ? doorsOf(options, call, source) : undefined;
  return { id, text, doors: doors ?? ["REST"] };
}

function doorsOf(options, call, source) {
  if (!options || !ts.isObjectLiteralExpression(options)) {
    return fail(options ?? call, source, "the options must be an object literal");
  }
  const [property, ...others] = options.properties;
  if (!property) return undefined;
  if (others.length > 0 || !ts.isPropertyAssignment(property) || nameOf(property) !== "doors") {
    return fail(options, source, "the options hold doors alone");
  }
  if (!ts.isArrayLiteralExpression(property.initializer)) {
    return fail(property, source, "doors must be an array literal");
  }
  const doors = property.initializer.elements.map((each) => literal(each, "a door", call, source));
  const wrong = doors.length === 0 || doors.some((door) => !DOORS.includes(door));
  return wrong ? fail(property, source, `doors are among ${DOORS.join(", ")}`) : doors;
}

const nameOf = (property) => (ts.isIdentifier(property.name) ? property.name.text : undefined);

function literal(node, what, call, source) {
  if (node && ts.isStringLiteralLike(node)) return node.text;
  return fail(node ?? call, source, `${what} must be a string literal`);
}

function placeOf(node, source) {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${FOLDER}/${source.fileName}:${line + 1}`;
}

/** @returns {never} */
function fail(node, source, message) {
  throw new Error(`${placeOf(node, source)}: ${message}`);
}
