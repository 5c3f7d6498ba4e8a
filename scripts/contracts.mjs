// Writes the files that are generated from the code and committed; --check compares them instead,
// changes nothing and fails where one differs. Both fail where a pointer to the contract leads nowhere.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import prettier from "prettier";
import { conformance } from "./conformance.mjs";
import { openapi } from "./openapi.mjs";
import { deadPointers } from "./pointers.mjs";
import { schema } from "./schema.mjs";

const root = path.dirname(import.meta.dirname);
const check = process.argv.includes("--check");

const contracts = {
  "docs/conformance.md": conformance,
  "openapi.json": openapi,
  "schema.graphql": schema,
};

for (const [name, generate] of Object.entries(contracts)) {
  const file = path.join(root, name);
  const text = await formatted(file, () => generate(root));
  const line = firstDifference(committed(file), text);
  if (line === undefined) continue;
  if (check) fault(`${name}:${line} differs from what the code says; run npm run contracts`);
  else writeFileSync(file, text);
}

for (const each of deadPointers(root)) fault(each);

async function formatted(file, generate) {
  try {
    const options = await prettier.resolveConfig(file);
    return await prettier.format(generate(), { ...options, filepath: file });
  } catch (error) {
    fault(error.message);
    process.exit();
  }
}

function committed(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return "";
    throw error;
  }
}

/** The number of the first line that differs, counted from 1. */
function firstDifference(one, other) {
  if (one === other) return undefined;
  const [left, right] = [one, other].map((text) => text.split("\n"));
  return left.findIndex((line, index) => line !== right[index]) + 1 || left.length;
}

function fault(message) {
  console.error(message);
  process.exitCode = 1;
}
