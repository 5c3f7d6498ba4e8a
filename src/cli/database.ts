import { Migrator } from "../database/migrations/migrator";
import { checkDatabase } from "../database/checks/database-check";
import { withLocalDatabase } from "../local/local-database";
import type { CommandSettings } from "./settings";

/**
 * Calls `use` with the database of `MIGRATION_DATABASE_URL` or `DATABASE_URL` or, if neither is set, with
 * the embedded one, after checking that it can be used. `MIGRATION_DATABASE_URL` comes first because
 * commands need a direct connection.
 *
 * @throws OperatorError if the database can't be used
 */
export function withDatabase<T>(
  settings: CommandSettings,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  return withLocalDatabase(settings, async (databaseUrl) => {
    await checkDatabase(databaseUrl);
    return use(databaseUrl);
  });
}

/**
 * Like {@link withDatabase}, after checking that all migrations are applied.
 *
 * @throws MigrationError if they are not
 */
export function withMigratedDatabase<T>(
  settings: CommandSettings,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  return withDatabase(settings, async (databaseUrl) => {
    await new Migrator({ databaseUrl }).assertCurrent();
    return use(databaseUrl);
  });
}
