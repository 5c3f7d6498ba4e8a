import { readFileSync } from "node:fs";
import path from "node:path";
import type { Release } from "../../src/config/this-process";

const FILE = path.join(__dirname, "../../dist/release.json");

/** The release that `npm run build` has written, which the processes of tests run. */
export const builtRelease = (): Release => JSON.parse(readFileSync(FILE, "utf8")) as Release;
