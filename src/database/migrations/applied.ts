import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../statements/sql";
import { MIGRATIONS, readMigrations } from "./files";

/**
 * Returns a function that checks whether all migrations of this release are applied. Newer ones don't matter.
 * The files are read at the first check, and again after a check that could not read them.
 */
export function migrationCheck(sequelize: Sequelize): () => Promise<boolean> {
  let reading: Promise<readonly string[]> | undefined;
  const read = (): Promise<readonly string[]> =>
    namesOf(MIGRATIONS).catch((error: unknown) => {
      reading = undefined; // it may pass, such as too many open files
      throw error;
    });
  return async () => {
    const known = await (reading ??= read());
    const rows = await runSql<{ name: string }>(sequelize, sql`SELECT name FROM schema_migrations`);
    const applied = new Set(rows.map(({ name }) => name));
    return known.every((name) => applied.has(name));
  };
}

const namesOf = async (directory: string): Promise<readonly string[]> =>
  (await readMigrations(directory)).map(({ name }) => name);
