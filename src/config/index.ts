import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { readSettings } from "./read-settings";
import { ConfigReader, type Environment } from "./reader";
import type { LocalSettings, Settings, DataSettings, TokenSettings } from "./settings";
import { connectionString, secret } from "./text-forms";
import { hkdfSync } from "node:crypto";

export { ConfigError } from "./reader";

export interface ProcessEnvironment {
  readonly environment: Environment;
  /** The issues of the file `.env`. Pass them on when settings are read, so that all issues are reported at once. */
  readonly fileIssues: readonly string[];
}

/** The process's environment. Variables that it lacks come from the file `.env` in the working directory, if any. */
export function processEnvironment(): ProcessEnvironment {
  const { variables, issues } = envFile();
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
  return { environment: process.env, fileIssues: issues };
}

/** Of a line that sets nothing, Node makes a part of the next name. No issue quotes it, because it may be a secret. */
export function readEnvFile(text: string) {
  const variables = parseEnv(text.replace(/^\uFEFF/, ""));
  const isWrong = Object.keys(variables).some((name) => !/^[A-Za-z_]\w*$/.test(name));
  const issue = "A line of .env sets nothing: each must be NAME=value or # a comment";
  return { variables, issues: isWrong ? [issue] : [] };
}

function envFile(): ReturnType<typeof readEnvFile> {
  try {
    return readEnvFile(readFileSync(".env", "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const issues = code === "ENOENT" ? [] : [`.env can't be read: ${message}`];
    return { variables: {}, issues };
  }
}

/**
 * Settings for `npm start` and the command line: each one has a default or can be generated.
 *
 * @throws ConfigError with all issues at once
 */
export function localSettings(
  environment: Environment,
  fileIssues: ProcessEnvironment["fileIssues"] = [],
): LocalSettings {
  const reader = new ConfigReader(environment, fileIssues);
  const settings = readSettings(reader, {
    suggestions: true,
    corsOrigins: ["localhost"],
    privateAddresses: "loopback",
  });
  reader.assertValid();
  return frozen(settings);
}

/**
 * Settings for production: the database and the signing secret are required (contract 8.production).
 *
 * @throws ConfigError with all issues at once
 */
export function productionSettings(
  environment: Environment,
  fileIssues: ProcessEnvironment["fileIssues"] = [],
): Settings {
  const reader = new ConfigReader(environment, fileIssues);
  const settings = readSettings(reader, {
    suggestions: false,
    corsOrigins: [],
    privateAddresses: "off",
  });
  const known = {
    databaseUrl: settings.database.url ?? reader.missing("DATABASE_URL", connectionString),
    secret: settings.tokens.secret ?? reader.missing("JWT_SECRET", secret),
  };
  reader.assertValid();
  return completeSettings(settings, known);
}

/** Settings of a shop whose database and signing secret are known. */
export function completeSettings(
  { database, migrations, tokens, data, ...settings }: LocalSettings,
  known: { readonly databaseUrl: string; readonly secret: string },
): Settings {
  const signing = { ...tokens, secret: known.secret };
  return frozen({
    ...settings,
    database: { ...database, url: known.databaseUrl },
    migrations: { databaseUrl: migrations.databaseUrl ?? known.databaseUrl },
    tokens: signing,
    data: dataSecrets(data, signing),
  });
}

function frozen<T extends object>(settings: T): T {
  for (const value of Object.values(settings) as unknown[]) {
    if (typeof value === "object" && value !== null) frozen(value);
  }
  return Object.freeze(settings);
}

/**
 * The secrets for data that is signed or encrypted for longer than a token lives. Secrets that are not set are
 * derived from those of the tokens. So a shop that later sets a secret of its own still accepts older signatures.
 */
function dataSecrets(
  { secret, previousSecrets }: LocalSettings["data"],
  tokens: Pick<TokenSettings, "secret" | "previousSecrets">,
): DataSettings {
  const [present = "", ...former] = [tokens.secret, ...tokens.previousSecrets].map(derived);
  if (secret === undefined) return { secret: present, previousSecrets: previousSecrets ?? former };
  return { secret, previousSecrets: previousSecrets ?? [present, ...former] };
}

/** Uses HKDF (RFC 5869), so that the two purposes do not share a secret. */
const derived = (secret: string): string =>
  Buffer.from(hkdfSync("sha256", secret, "", "tea-shop data", 32)).toString("base64url");
