import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const FILE = path.join(__dirname, "../build-id");

/**
 * Identifies this build of the service: a hash that `npm run build` writes, the same in all processes of a
 * release. Code without that build, as in tests, gets a new id whenever it is loaded.
 */
export const buildId: string = existsSync(FILE) ? readFileSync(FILE, "utf8") : randomUUID();
