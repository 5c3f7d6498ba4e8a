// Records from which contracts the types were generated; a test compares them with the contracts of today.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const names = ["openapi.json", "schema.graphql"];
const hashOf = (name) =>
  createHash("sha256")
    .update(readFileSync(path.join(import.meta.dirname, "..", name)))
    .digest("hex");
const hashes = Object.fromEntries(names.map((name) => [name, hashOf(name)]));
writeFileSync(
  path.join(import.meta.dirname, "contracts.json"),
  `${JSON.stringify(hashes, null, 2)}\n`,
);
