import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  MigrationError,
  Migrator,
  type MigratorOptions,
} from "../../src/database/migrations/migrator";
import { createEmptyDatabase, query } from "../support/database";

/** A folder for migrations of a test's own, and an empty database for them. */
export async function openMigrationFolder() {
  const database = await createEmptyDatabase();
  const directory = await mkdtemp(path.join(tmpdir(), "migrations-"));
  const write = (file: string, text: string): Promise<void> =>
    writeFile(path.join(directory, file), text);
  return {
    database,
    directory,
    write,
    migrator: (options: Partial<MigratorOptions> = {}) =>
      new Migrator({ databaseUrl: database.url, directory, ...options }),
    sql: <Row extends object>(statement: string) => query<Row>(database.url, statement),
    /** A migration that creates a table of the given name. */
    writeTable: async (name: string, table: string): Promise<void> => {
      await write(`${name}.up.sql`, `CREATE TABLE ${table} (id integer);\n`);
      await write(`${name}.down.sql`, `DROP TABLE ${table};\n`);
    },
    removeFiles: async (...names: string[]): Promise<void> => {
      for (const name of names) {
        await rm(path.join(directory, `${name}.up.sql`));
        await rm(path.join(directory, `${name}.down.sql`));
      }
    },
    tables: async (): Promise<string[]> => {
      const rows = await query<{ name: string }>(
        database.url,
        "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1",
      );
      return rows.map((row) => row.name);
    },
    close: async (): Promise<void> => {
      await database.drop();
      await rm(directory, { recursive: true });
    },
  };
}

export type MigrationFolder = Awaited<ReturnType<typeof openMigrationFolder>>;

/** The message of the MigrationError that this work is refused with. */
export async function faultOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MigrationError);
  return (error as MigrationError).message;
}
