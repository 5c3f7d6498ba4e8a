// Removes compiled files whose source is gone: the dist/models.js of an older checkout would be
// loaded in place of dist/models/index.js.
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const compiled = readdirSync(path.join(root, "dist"), { recursive: true, encoding: "utf8" });

for (const file of compiled.filter((name) => /\.(js|js\.map|json)$/.test(name))) {
  const name = path.join(root, "src", file.replace(/\.(js|js\.map|json)$/, ""));
  const isThere = [".ts", ".js", ".json"].some((ending) => existsSync(name + ending));
  if (!isThere) rmSync(path.join(root, "dist", file));
}
