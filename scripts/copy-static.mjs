// The explorer's page, scripts and styles are served as they are: they go along with what is compiled.
import { cpSync, rmSync } from "node:fs";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const copy = path.join(root, "dist/explorer/static");

rmSync(copy, { recursive: true, force: true });
cpSync(path.join(root, "src/explorer/static"), copy, { recursive: true });
