import { existsSync } from "node:fs";
import { readSettings } from "./read-settings";
import { ConfigReader, type Environment } from "./reader";
import type { LocalSettings, Settings } from "./settings";
import { connectionString, secret } from "./text-forms";

export { ConfigError } from "./reader";

/** The process's environment; a file `.env` in the working directory fills in what is not set. */
export function processEnvironment(): Environment {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

/**
 * Settings for `npm start` and the command line: all have defaults or can be generated.
 * Throws {@link ConfigError} with every fault at once.
 */
export function localSettings(environment: Environment): LocalSettings {
  const reader = new ConfigReader(environment);
  const settings = readSettings(reader, { suggestions: true, corsOrigins: ["localhost"] });
  reader.assertNoFaults();
  return frozen(settings);
}

/**
 * Settings for the production entry: the database and the signing secret are required (contract 8.production).
 * Throws {@link ConfigError} with every fault at once.
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

/** Freezes the settings and all groups of them. */
function frozen<T extends object>(settings: T): T {
  for (const value of Object.values(settings) as unknown[]) {
    if (typeof value === "object" && value !== null) frozen(value);
  }
  return Object.freeze(settings);
}
