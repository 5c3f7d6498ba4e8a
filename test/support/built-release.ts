import { readFileSync } from "node:fs";
import path from "node:path";
import type { Release } from "../../src/config/release";

const FILE = path.join(__dirname, "../../dist/release.json");

/** What `npm run build` has written down of the code that processes run. */
export const builtRelease = (): Release => JSON.parse(readFileSync(FILE, "utf8")) as Release;
