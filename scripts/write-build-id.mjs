// Writes dist/build-id: a hash of everything that is compiled, and of the versions of all packages. Two builds
// that could answer differently have different ids.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const compiled = readdirSync(path.join(root, "dist"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(js|json)$/.test(name))
  .map((name) => path.join("dist", name))
  .sort();

const hash = createHash("sha256");
for (const name of [...compiled, "package.json", "package-lock.json"]) {
  const content = readFileSync(path.join(root, name));
  hash.update(`${name} ${content.length}\n`).update(content);
}
writeFileSync(path.join(root, "dist/build-id"), hash.digest("base64url"));
