// Writes the files that are generated from the code and committed; --check compares them instead,
// changes nothing and fails where one differs. Both fail where a clause of the
// contract has no test, and where a pointer to the contract leads nowhere.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { unproven } from "./contract.mjs";
import { generated } from "./generated.mjs";
import { deadPointers } from "./pointers.mjs";

const root = path.dirname(import.meta.dirname);
const check = process.argv.includes("--check");

try {
  const texts = await generated(root);
  if (check) compare(texts);
  else write(texts);
  for (const each of [...unproven(root), ...deadPointers(root)]) fault(each);
} catch (error) {
  fault(error.message);
}

function compare(texts) {
  for (const [name, text] of Object.entries(texts)) {
    const line = firstDifference(committed(name), text);
    if (line === undefined) continue;
    fault(`${name}:${line} differs from what the code says; run npm run contracts`);
  }
}

function write(texts) {
  for (const [name, text] of Object.entries(texts)) {
    if (committed(name) !== text) writeFileSync(path.join(root, name), text);
  }
}

function committed(name) {
  try {
    return readFileSync(path.join(root, name), "utf8");
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
