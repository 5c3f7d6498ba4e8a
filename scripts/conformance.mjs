import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const FOLDER = "test/conformance";
const FILE = /^section-\d+-[a-z0-9-]+\.test\.ts$/;
const ID = /^\d+(\.[a-z0-9-]+)*$/;
const DOORS = ["REST", "GraphQL"];
const CALLEES = ["clause", "clauseEach"];

const sections = [
  "What the service does",
  "Resources and their fields",
  "States and transitions",
  "Endpoints",
  "Authentication",
  "Events",
  "Errors",
  "Limits",
  "Versioning",
];

const introduction = `# Conformance

The clauses of the specification and the tests that show them, by section. This page is generated from the tests by \`npm run contracts\`; in the output of \`npm test\` each test carries its clause in brackets.
`;

/** The table of all clauses under test, as Markdown. Throws an Error that names file and line. */
export function conformance(root) {
  const folder = path.join(root, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const titles = new Set();
  const clauses = names
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => read(folder, name, titles))
    .sort((one, other) => byId(one.id, other.id));
  const parts = sections.map((title, index) => section(index + 1, title, clauses));
  return [introduction, ...parts].join("\n");
}

function section(number, title, clauses) {
  const heading = `## ${number}. ${title}\n`;
  const here = clauses.filter(({ id }) => sectionOf(id) === number);
  if (here.length === 0) return `${heading}\nNo clause of this section is under test.\n`;
  const files = [...new Set(here.map(({ file }) => file))].sort();
  const links = files.map((file) => `[${file}](../${FOLDER}/${file})`).join(", ");
  const rows = here.map(({ id, text, doors }) => {
    const marks = DOORS.map((door) => (doors.includes(door) ? "✓" : "–"));
    return `| ${[id, escape(text), ...marks].join(" | ")} |`;
  });
  const table = ["| Clause | What the test shows | REST | GraphQL |", "|---|---|---|---|", ...rows];
  return `${heading}\nTests: ${links}\n\n${table.join("\n")}\n`;
}

const sectionOf = (id) => Number.parseInt(id, 10);

/** Numbers within ids sort as numbers: 8.2 before 8.10. Equal ids keep the order of the tests. */
const byId = (one, other) => one.localeCompare(other, "en", { numeric: true });

/** What is text in a test is text in the table. */
const escape = (text) => text.replace(/[\\`*_{}[\]<>|~#]/g, "\\$&");

/** The clauses of one test file, in its order. `titles` collects those of all files. */
function read(folder, name, titles) {
  if (!FILE.test(name)) {
    throw new Error(`${FOLDER}/${name}: is not named section-<number>-<noun>.test.ts`);
  }
  const text = readFileSync(path.join(folder, name), "utf8");
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const clauses = [];
  const visit = (node) => {
    if (isCallee(node)) {
      const call = callOf(node, source);
      const clause = clauseOf(call, source);
      const title = `[${clause.id}] ${clause.text}`;
      if (titles.has(title)) fail(call, source, `${title} is there twice`);
      titles.add(title);
      clauses.push({ ...clause, file: name });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return clauses;
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

function clauseOf(call, source) {
  const [idNode, textNode, options] = call.arguments;
  const id = literal(idNode, "the clause's id", call, source);
  const text = literal(textNode, "the clause's text", call, source);
  if (!ID.test(id) || !sections[sectionOf(id) - 1]) {
    fail(idNode, source, `not a section and a clause of it, such as 4.orders.3: ${id}`);
  }
  const takesOptions = call.expression.text === "clauseEach" || call.arguments.length === 4;
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

function fail(node, source, message) {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  throw new Error(`${FOLDER}/${source.fileName}:${line + 1}: ${message}`);
}
