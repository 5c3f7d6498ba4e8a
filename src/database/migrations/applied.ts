import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../statements/sql";
import { MIGRATIONS, readMigrations } from "./files";

/**
 * Makes a check whether all migrations of this release are applied; newer ones don't matter. The files are
 * read at the first check.
 */
export function migrationCheck(sequelize: Sequelize): () => Promise<boolean> {
  let reading: Promise<readonly string[]> | undefined;
  return async () => {
    const known = await (reading ??= namesOf(MIGRATIONS));
    const rows = await runSql<{ name: string }>(sequelize, sql`SELECT name FROM schema_migrations`);
    const applied = new Set(rows.map(({ name }) => name));
    return known.every((name) => applied.has(name));
  };
}

const namesOf = async (directory: string): Promise<readonly string[]> =>
  (await readMigrations(directory)).map(({ name }) => name);
