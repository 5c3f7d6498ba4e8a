import { completeSettings, localSettings } from "../config";
import type { LocalSettings, Settings } from "../config/settings";
import type { Io } from "./io";
import { Migrator } from "../database/migrations/migrator";
import { checkDatabase } from "../database/checks/database-check";
import { withLocalDatabase } from "../local/embedded-database";
import { storedSigningSecret } from "../local/secrets";
import { OperatorError } from "../vocabulary/errors";

export interface CommandSettings extends LocalSettings {
  /** The variable `ADMIN_PASSWORD`; the command decides for which account it counts. */
  readonly adminPassword: string | undefined;
}

/**
 * Reads the settings of a command. Commands do not create the first administrator, so `ADMIN_PASSWORD` may
 * be set without `ADMIN_EMAIL`.
 *
 * @throws ConfigError
 */
export function commandSettings({ environment, fileIssues }: Io): CommandSettings {
  const { ADMIN_EMAIL: _email, ADMIN_PASSWORD: password, ...rest } = environment;
  return { ...localSettings(rest, fileIssues), adminPassword: password || undefined };
}

/**
 * The settings of the service on this database, with its secrets.
 *
 * @throws OperatorError if the command does not know the secrets
 */
export async function serviceSettings(
  settings: CommandSettings,
  databaseUrl: string,
): Promise<Settings> {
  const secret = settings.tokens.secret ?? (await storedSigningSecret(settings.dataDir));
  if (secret !== undefined) return completeSettings(settings, { databaseUrl, secret });
  throw new OperatorError("JWT_SECRET is required: give the command the settings of the service");
}

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
