import { Migrator, PendingMigrations } from "../database/migrations/migrator";
import { checkDatabase } from "../database/database-check";
import { withClient } from "../database/with-client";
import { messageOf, OperatorError } from "../errors";
import { withLocalDatabase } from "../local/local-database";
import type { CommandSettings } from "./settings";

/**
 * Hands `use` the database of `MIGRATION_DATABASE_URL` or `DATABASE_URL`, else the embedded one, after
 * making sure that it answers and fits. The former comes first as commands need a direct connection.
 *
 * @throws OperatorError where it does not answer or does not fit
 */
export function withDatabase<T>(
  settings: CommandSettings,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  return withLocalDatabase(settings, async (databaseUrl) => {
    await assertReachable(databaseUrl);
    await checkDatabase(databaseUrl);
    return use(databaseUrl);
  });
}

/**
 * Like {@link withDatabase}, with all migrations applied.
 *
 * @throws MigrationError where they are not; with what to run where that would help
 */
export function withMigratedDatabase<T>(
  settings: CommandSettings,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  return withDatabase(settings, async (databaseUrl) => {
    await new Migrator({ databaseUrl }).assertCurrent().catch((error: unknown) => {
      if (!(error instanceof PendingMigrations)) throw error;
      const message = `${error.message}\nrun: npm run tea -- migrate up`;
      throw new OperatorError(message, { cause: error });
    });
    return use(databaseUrl);
  });
}

async function assertReachable(databaseUrl: string): Promise<void> {
  try {
    await withClient(databaseUrl, (client) => client.query("SELECT 1"));
  } catch (error) {
    const { host, pathname } = new URL(databaseUrl);
    throw new OperatorError(
      `The database ${host}${pathname} can't be reached: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
