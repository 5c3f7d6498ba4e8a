import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import type { WriteContext } from "../vocabulary/current-work";

/** The release that runs: the package's version, and the commit that it was built from. */
export interface Release {
  readonly version: string;
  /** `unknown` if it was built outside a repository, or not built at all. */
  readonly commit: string;
}

const RELEASE = path.join(__dirname, "../release.json");
const PACKAGE = path.join(__dirname, "../../package.json");

/** `npm run build` writes the release. Code without that build, as in tests, has only a version. */
export const release: Release = {
  version: "unknown",
  commit: "unknown",
  ...read(existsSync(RELEASE) ? RELEASE : PACKAGE),
};

function read(file: string): Partial<Release> {
  const { version, commit } = JSON.parse(readFileSync(file, "utf8")) as Partial<Release>;
  return { ...(version !== undefined && { version }), ...(commit !== undefined && { commit }) };
}

/** The release as people read it, such as `1.2.0 (3f9c2a1b7d04)`. */
export const releaseName: string = `${release.version} (${release.commit})`;

const BUILD_ID = path.join(__dirname, "../build-id");

/**
 * Identifies this build of the service: a hash that `npm run build` writes, the same in all processes of a
 * release. Code without that build, as in tests, gets a new id whenever it is loaded.
 */
export const buildId: string = existsSync(BUILD_ID) ? readFileSync(BUILD_ID, "utf8") : randomUUID();

/** The name of the user of the operating system; `uid 1000` if it has none. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** The write context of a command, or of a start. */
export const commandContext = (operation: string): WriteContext => ({
  door: "COMMAND_LINE",
  operation,
  actor: systemUser(),
});
