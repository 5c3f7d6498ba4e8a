import { existsSync } from "node:fs";
import path from "node:path";
import { ConfigReader, type Environment } from "./reader";
import { isEmailAddress } from "../text/email-address";
import { passwordFault } from "../text/password";

export { ConfigError } from "./reader";

/** Every setting, read and checked. Units are in the doc comments; the README's table says the same. */
export interface Settings {
  readonly port: number;
  /** Address to listen on; undefined is all interfaces. */
  readonly host: string | undefined;
  readonly databaseUrl: string | undefined;
  /** A direct connection for migrations, where `databaseUrl` leads to a pooler. */
  readonly migrationDatabaseUrl: string | undefined;
  /** Connections in the pool of one process. */
  readonly databasePoolSize: number;
  /** Requests that may wait for a connection; further ones are answered 503. */
  readonly databaseQueueLimit: number;
  /** Longest wait for a connection, in milliseconds. */
  readonly databaseAcquireTimeout: number;
  /** Whether statements may be prepared under a name, which a pooler in transaction mode does not keep. */
  readonly namedStatements: boolean;
  /** Absolute path of the folder for the embedded database and generated secrets. */
  readonly dataDir: string;
  readonly jwtSecret: string | undefined;
  /** Secrets that tokens were signed with before; they still verify. */
  readonly jwtPreviousSecrets: readonly string[];
  /** Lifetime of an access token, in seconds. */
  readonly jwtTtl: number;
  readonly firstAdmin: { readonly email: string; readonly password: string } | undefined;
  readonly bcryptCost: number;
  /** Password comparisons that run at one time. */
  readonly loginConcurrency: number;
  /** Logins that may wait for their comparison; further ones are answered 503. */
  readonly loginQueueLimit: number;
  /** Failed logins in 15 minutes for one account and address, and for one address; 0 is off. */
  readonly loginFailureLimit: number;
  readonly loginAddressFailureLimit: number;
  /** Requests a minute and address; 0 is off. */
  readonly orderRateLimit: number;
  readonly newsletterRateLimit: number;
  /** Proxies in front of the service whose `X-Forwarded-For` is believed. */
  readonly trustProxy: number;
  /** Origins that browsers may call from; `localhost` stands for any port of this machine. */
  readonly corsOrigins: readonly string[];
  /** How long idempotency keys are remembered, in seconds. */
  readonly idempotencyTtl: number;
  /** Greatest request body, in bytes after decompression. */
  readonly bodyLimit: number;
  /** Whether `/explorer` is served. */
  readonly explorer: boolean;
  readonly introspection: boolean;
  /** Whether GraphQL errors may suggest names of the schema. */
  readonly suggestions: boolean;
  /** Tokens of a GraphQL document at most. */
  readonly maxTokens: number;
  readonly operationLimits: {
    /** Levels of fields below each other. */
    readonly maxDepth: number;
    /** What is asked of the database: rows, lists counted by their page size, and finding them. */
    readonly maxCost: number;
    readonly maxAliases: number;
    /** About the bytes of the answer, texts at a typical length, and the work on each key of it. */
    readonly maxWeight: number;
  };
  /** Bytes of a GraphQL answer at most. */
  readonly maxAnswer: number;
  readonly logLevel: LogLevel;
  /** Processes that serve requests in production. */
  readonly webConcurrency: number;
}

/** Settings of the production entry: what only a deployment can know is present. */
export interface ProductionSettings extends Settings {
  readonly databaseUrl: string;
  readonly jwtSecret: string;
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** The placeholder of `.env.example`: published, hence no secret. */
export const EXAMPLE_SECRET = "replace-this-with-32-or-more-random-characters";

const SECRET_MIN_LENGTH = 32;

/** The process's environment; a file `.env` in the working directory fills in what is not set. */
export function processEnvironment(): Environment {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

/**
 * Settings for `npm start` and the command line: all have defaults or can be generated.
 * Throws {@link ConfigError} with every fault at once.
 */
export function localSettings(environment: Environment): Settings {
  const reader = new ConfigReader(environment);
  const settings = readAll(reader, { suggestions: true, corsOrigins: ["localhost"] });
  reader.assertNoFaults();
  return settings;
}

/**
 * Settings for the production entry: the database and the signing secret are required (spec.md section 8).
 * Throws {@link ConfigError} with every fault at once.
 */
export function productionSettings(environment: Environment): ProductionSettings {
  const reader = new ConfigReader(environment);
  const settings = readAll(reader, { suggestions: false, corsOrigins: [] });
  const databaseUrl = settings.databaseUrl ?? reader.missing("DATABASE_URL", CONNECTION_STRING);
  const jwtSecret = settings.jwtSecret ?? reader.missing("JWT_SECRET", SECRET);
  reader.assertNoFaults();
  return Object.freeze({ ...settings, databaseUrl, jwtSecret });
}

const CONNECTION_STRING = "a connection string such as postgres://user:password@host:5432/database";
const SECRET = `a secret of at least ${SECRET_MIN_LENGTH} characters that this deployment alone uses`;

const ORIGIN = "an origin such as https://shop.example.com";
const MANY = 1_000_000_000;

/** Defaults that differ between the entries. */
type EntryDefaults = Pick<Settings, "suggestions" | "corsOrigins">;

function readAll(reader: ConfigReader, { suggestions, corsOrigins }: EntryDefaults): Settings {
  return Object.freeze({
    port: reader.integer("PORT", 3000, 0, 65_535),
    host: reader.text("HOST"),
    databaseUrl: reader.checked("DATABASE_URL", isConnectionString, CONNECTION_STRING),
    migrationDatabaseUrl: reader.checked(
      "MIGRATION_DATABASE_URL",
      isConnectionString,
      CONNECTION_STRING,
    ),
    databasePoolSize: reader.integer("DATABASE_POOL_SIZE", 8, 1, 1000),
    databaseQueueLimit: reader.integer("DATABASE_QUEUE_LIMIT", 200, 0, 100_000),
    databaseAcquireTimeout: reader.integer("DATABASE_ACQUIRE_TIMEOUT", 1000, 1, 60_000),
    namedStatements: reader.flag("NAMED_STATEMENTS", true),
    dataDir: path.resolve(reader.text("DATA_DIR") ?? ".data"),
    jwtSecret: reader.checked("JWT_SECRET", isSecret, SECRET),
    jwtPreviousSecrets: reader.list("JWT_PREVIOUS_SECRETS", isSecret, SECRET) ?? [],
    jwtTtl: reader.integer("JWT_TTL", 3600, 1, 31_536_000),
    firstAdmin: readFirstAdmin(reader),
    bcryptCost: reader.integer("BCRYPT_COST", 12, 4, 20),
    loginConcurrency: reader.integer("LOGIN_CONCURRENCY", 1, 1, 64),
    loginQueueLimit: reader.integer("LOGIN_QUEUE_LIMIT", 20, 0, 100_000),
    loginFailureLimit: reader.integer("LOGIN_FAILURE_LIMIT", 10, 0, MANY),
    loginAddressFailureLimit: reader.integer("LOGIN_ADDRESS_FAILURE_LIMIT", 50, 0, MANY),
    orderRateLimit: reader.integer("ORDER_RATE_LIMIT", 600, 0, MANY),
    newsletterRateLimit: reader.integer("NEWSLETTER_RATE_LIMIT", 20, 0, MANY),
    trustProxy: reader.integer("TRUST_PROXY", 0, 0, 100),
    corsOrigins: reader.list("CORS_ORIGINS", isOrigin, ORIGIN) ?? corsOrigins,
    idempotencyTtl: reader.integer("IDEMPOTENCY_TTL", 86_400, 1, 31_536_000),
    bodyLimit: reader.bytes("BODY_LIMIT", "100kb"),
    explorer: reader.flag("EXPLORER", true),
    introspection: reader.flag("INTROSPECTION", true),
    suggestions: reader.flag("GRAPHQL_SUGGESTIONS", suggestions),
    maxTokens: reader.integer("GRAPHQL_MAX_TOKENS", 2000, 1, 1_000_000),
    operationLimits: {
      maxDepth: reader.integer("GRAPHQL_MAX_DEPTH", 12, 1, 1000),
      maxCost: reader.integer("GRAPHQL_MAX_COST", 2000, 1, 1_000_000_000),
      maxAliases: reader.integer("GRAPHQL_MAX_ALIASES", 50, 0, 100_000),
      maxWeight: reader.integer("GRAPHQL_MAX_WEIGHT", 1_000_000, 1, MANY),
    },
    maxAnswer: reader.bytes("GRAPHQL_MAX_ANSWER", "8mb"),
    logLevel: reader.oneOf("LOG_LEVEL", "info", logLevels),
    webConcurrency: reader.integer("WEB_CONCURRENCY", 1, 1, 256),
  });
}

function readFirstAdmin(reader: ConfigReader): Settings["firstAdmin"] {
  const email = reader.checked("ADMIN_EMAIL", isEmailAddress, "an e-mail address");
  const password = reader.text("ADMIN_PASSWORD");
  const fault = password === undefined ? undefined : passwordFault(password);
  if (fault !== undefined) reader.fault("ADMIN_PASSWORD", fault);
  if (reader.has("ADMIN_EMAIL") !== reader.has("ADMIN_PASSWORD")) {
    reader.fault("ADMIN_EMAIL, ADMIN_PASSWORD", "must be set both or not at all");
  }
  return email !== undefined && password !== undefined ? { email, password } : undefined;
}

const isSecret = (text: string): boolean =>
  text.length >= SECRET_MIN_LENGTH && text !== EXAMPLE_SECRET;

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

function isConnectionString(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return ["postgres:", "postgresql:"].includes(url.protocol) && url.pathname.length > 1;
}
