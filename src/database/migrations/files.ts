import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { OperatorError } from "../../vocabulary/errors";
import { runSql } from "../statements/sql";
import type { Script } from "./script";

/** The schema can't be migrated or does not match the files; the message has a line for each error. */
export class MigrationError extends OperatorError {
  override readonly name = "MigrationError";
}

/** The command that applies migrations, for messages. */
export const MIGRATE_UP = "node dist/cli/main.js migrate up";

export interface Migration {
  /** The name that both files share, such as `002-catalogue`. */
  readonly name: string;
  readonly number: number;
  readonly up: Script;
  readonly down: Script;
  /** SHA-256 of the up file, in hexadecimal. */
  readonly checksum: string;
}

/** The files of this release: the same path from `src/database/migrations` and from `dist`. */
export const MIGRATIONS = path.join(__dirname, "../../../migrations");

const FILE_NAME = /^([0-9]{3,9}-[a-z0-9]+(?:-[a-z0-9]+)*)\.(up|down)\.sql$/;

export const numberOf = (name: string): number => Number.parseInt(name, 10);

/**
 * Reads a folder of `NNN-verb-noun.up.sql` and `.down.sql` files. The result is ordered by number; files
 * that are not SQL are ignored.
 *
 * @throws MigrationError if a name has another form, a number occurs twice, or a file has no counterpart
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await list(directory)).filter((file) => file.endsWith(".sql"));
  const names = [...new Set(files.map((file) => FILE_NAME.exec(file)?.[1] ?? file))];
  const errors = [
    ...files
      .filter((file) => !FILE_NAME.test(file))
      .map((file) => `${file} is not named NNN-verb-noun.up.sql or .down.sql`),
    ...names.flatMap((name) => {
      const earlier = names.slice(0, names.indexOf(name));
      const twin = earlier.find((other) => numberOf(other) === numberOf(name));
      return twin === undefined ? [] : [`${twin} and ${name} have the same number`];
    }),
    ...files
      .filter((file) => FILE_NAME.test(file) && !files.includes(counterpart(file)))
      .map((file) => `${file} has no ${counterpart(file)}`),
  ];
  if (errors.length > 0) throw new MigrationError(errors.join("\n"));
  const migrations = await Promise.all(names.map((name) => read(directory, name)));
  return migrations.sort((one, other) => one.number - other.number);
}

async function list(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    throw new MigrationError(`The migrations folder can't be read: ${directory}`, { cause: error });
  }
}

const counterpart = (file: string): string =>
  file.replace(/(up|down)\.sql$/, (end) => (end === "up.sql" ? "down.sql" : "up.sql"));

async function read(directory: string, name: string): Promise<Migration> {
  // A checkout may have other line endings than the repository; the checksum must not depend on them.
  const script = async (file: string): Promise<Script> => {
    const text = await readFile(path.join(directory, file), "utf8");
    return { file, text: text.replace(/\r\n?/g, "\n") };
  };
  const [up, down] = await Promise.all([script(`${name}.up.sql`), script(`${name}.down.sql`)]);
  const checksum = createHash("sha256").update(up.text).digest("hex");
  return { name, number: numberOf(name), up, down, checksum };
}

/**
 * Returns a function that checks whether all migrations of this release are applied. Newer ones don't matter.
 * The files are read at the first check, and again after a check that could not read them.
 */
export function migrationCheck(sequelize: Sequelize): () => Promise<boolean> {
  let reading: Promise<Migration[]> | undefined;
  const read = (): Promise<Migration[]> =>
    readMigrations(MIGRATIONS).catch((error: unknown) => {
      reading = undefined; // it may pass, such as too many open files
      throw error;
    });
  return async () => {
    const known = await (reading ??= read());
    const rows = await runSql<{ name: string }>(sequelize, sql`SELECT name FROM schema_migrations`);
    const applied = new Set(rows.map(({ name }) => name));
    return known.every(({ name }) => applied.has(name));
  };
}
