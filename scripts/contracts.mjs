// Writes schema.graphql as the built code says it; --check compares the file instead, changes nothing and fails where
// it differs. Both fail where a clause of the contract has no test, and where a pointer to the contract leads nowhere.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { printSchema } from "graphql";
import prettier from "prettier";
import { unproven } from "./contract.mjs";
import { deadPointers } from "./pointers.mjs";

const require = createRequire(import.meta.url);
const root = path.dirname(import.meta.dirname);
const SCHEMA = "schema.graphql";

try {
  const file = path.join(root, SCHEMA);
  const [text, committed] = [await schema(file), readFileSync(file, "utf8")];
  if (process.argv.includes("--check")) compare(text, committed);
  else if (text !== committed) writeFileSync(file, text);
  for (const each of [...unproven(root), ...deadPointers(root)]) fault(each);
} catch (error) {
  fault(error.message);
}

/** The GraphQL schema, formatted. */
async function schema(file) {
  require("reflect-metadata");
  const { createSchema } = require(path.join(root, "dist/graphql/schema/schema.js"));
  // Printing it calls no resolver, hence no services.
  const text = `${printSchema(createSchema({}))}\n`;
  return prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file });
}

function compare(text, committed) {
  if (text === committed) return;
  const [lines, others] = [text, committed].map((each) => each.split("\n"));
  const line = lines.findIndex((each, index) => each !== others[index]) + 1 || lines.length;
  fault(`${SCHEMA}:${line} differs from what the code says; run npm run contracts`);
}

function fault(message) {
  console.error(message);
  process.exitCode = 1;
}
