import { existsSync } from "node:fs";
import { readSettings } from "./read-settings";
import { ConfigReader, type Environment } from "./reader";
import type { LocalSettings, Settings } from "./settings";
import { connectionString, secret } from "./text-forms";

export { ConfigError } from "./reader";

/** The process's environment, completed by the file `.env` in the working directory if there is one. */
export function processEnvironment(): Environment {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

/**
 * Settings for `npm start` and the command line: each one has a default or can be generated.
 *
 * @throws ConfigError with all faults at once
 */
export function localSettings(environment: Environment): LocalSettings {
  const reader = new ConfigReader(environment);
  const settings = readSettings(reader, { suggestions: true, corsOrigins: ["localhost"] });
  reader.assertNoFaults();
  return frozen(settings);
}

/**
 * Settings for production: the database and the signing secret are required (contract 8.production).
 *
 * @throws ConfigError with all faults at once
 */
export function productionSettings(environment: Environment): Settings {
  const reader = new ConfigReader(environment);
  const settings = readSettings(reader, { suggestions: false, corsOrigins: [] });
  const known = {
    databaseUrl: settings.database.url ?? reader.missing("DATABASE_URL", connectionString),
    secret: settings.tokens.secret ?? reader.missing("JWT_SECRET", secret),
  };
  reader.assertNoFaults();
  return completeSettings(settings, known);
}

/** Settings of a shop whose database and signing secret are known. */
export function completeSettings(
  { database, migrations, tokens, ...settings }: LocalSettings,
  known: { readonly databaseUrl: string; readonly secret: string },
): Settings {
  return frozen({
    ...settings,
    database: { ...database, url: known.databaseUrl },
    migrations: { databaseUrl: migrations.databaseUrl ?? known.databaseUrl },
    tokens: { ...tokens, secret: known.secret },
  });
}

function frozen<T extends object>(settings: T): T {
  for (const value of Object.values(settings) as unknown[]) {
    if (typeof value === "object" && value !== null) frozen(value);
  }
  return Object.freeze(settings);
}
