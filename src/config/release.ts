import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The release that runs: the package's version, and the commit that it was built from. */
export interface Release {
  readonly version: string;
  /** `unknown` if it was built outside a repository, or not built at all. */
  readonly commit: string;
}

const FILE = path.join(__dirname, "../release.json");
const PACKAGE = path.join(__dirname, "../../package.json");

/** `npm run build` writes the release. Code without that build, as in tests, has only a version. */
export const release: Release = {
  version: "unknown",
  commit: "unknown",
  ...read(existsSync(FILE) ? FILE : PACKAGE),
};

function read(file: string): Partial<Release> {
  const { version, commit } = JSON.parse(readFileSync(file, "utf8")) as Partial<Release>;
  return { ...(version !== undefined && { version }), ...(commit !== undefined && { commit }) };
}

/** The release as people read it, such as `1.2.0 (3f9c2a1b7d04)`. */
export const releaseName: string = `${release.version} (${release.commit})`;
