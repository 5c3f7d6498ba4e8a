import { existsSync } from "node:fs";
import path from "node:path";
import { isEmailAddress, passwordFault } from "./text";

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
  /** Absolute path of the folder for the embedded database and generated secrets. */
  readonly dataDir: string;
  readonly jwtSecret: string | undefined;
  /** Lifetime of an access token, in seconds. */
  readonly jwtTtl: number;
  readonly firstAdmin: { readonly email: string; readonly password: string } | undefined;
  readonly bcryptCost: number;
  /** Password comparisons that run at one time. */
  readonly loginConcurrency: number;
  /** Logins that may wait for their comparison; further ones are answered 503. */
  readonly loginQueueLimit: number;
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
    /** Objects that may be loaded, lists counted by their page size. */
    readonly maxCost: number;
    readonly maxAliases: number;
  };
  readonly logLevel: LogLevel;
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

/** Everything that is wrong with the configuration, one line each: the variable and what it must be. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "ConfigError";
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

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
  const reader = new Reader(environment);
  const settings = readAll(reader, { suggestions: true });
  reader.assertNoFaults();
  return settings;
}

/**
 * Settings for the production entry: the database and the signing secret are required (spec.md section 8).
 * Throws {@link ConfigError} with every fault at once.
 */
export function productionSettings(environment: Environment): ProductionSettings {
  const reader = new Reader(environment);
  const settings = readAll(reader, { suggestions: false });
  const databaseUrl = settings.databaseUrl ?? reader.missing("DATABASE_URL", CONNECTION_STRING);
  const jwtSecret = settings.jwtSecret ?? reader.missing("JWT_SECRET", SECRET);
  reader.assertNoFaults();
  return Object.freeze({ ...settings, databaseUrl, jwtSecret });
}

const CONNECTION_STRING = "a connection string such as postgres://user:password@host:5432/database";
const SECRET = `a secret of at least ${SECRET_MIN_LENGTH} characters that this deployment alone uses`;

/** What differs between the entries: `suggestions`, the default of that setting. */
function readAll(reader: Reader, { suggestions }: { suggestions: boolean }): Settings {
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
    dataDir: path.resolve(reader.text("DATA_DIR") ?? ".data"),
    jwtSecret: reader.checked("JWT_SECRET", isSecret, SECRET),
    jwtTtl: reader.integer("JWT_TTL", 3600, 1, 31_536_000),
    firstAdmin: readFirstAdmin(reader),
    bcryptCost: reader.integer("BCRYPT_COST", 12, 4, 20),
    loginConcurrency: reader.integer("LOGIN_CONCURRENCY", 1, 1, 64),
    loginQueueLimit: reader.integer("LOGIN_QUEUE_LIMIT", 20, 0, 100_000),
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
    },
    logLevel: reader.oneOf("LOG_LEVEL", "info", logLevels),
  });
}

function readFirstAdmin(reader: Reader): Settings["firstAdmin"] {
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

function isConnectionString(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return ["postgres:", "postgresql:"].includes(url.protocol) && url.pathname.length > 1;
}

/** Reads variables one by one and gathers what is wrong. An empty variable counts as not set. */
class Reader {
  private readonly faults: string[] = [];

  constructor(private readonly environment: Environment) {}

  has(name: string): boolean {
    return this.text(name) !== undefined;
  }

  text(name: string): string | undefined {
    return this.environment[name] || undefined;
  }

  checked(name: string, accepts: (text: string) => boolean, wanted: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || accepts(text)) return text;
    this.fault(name, `must be ${wanted}`);
    return undefined;
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    this.fault(name, `must be an integer from ${least} to ${most}`);
    return fallback;
  }

  bytes(name: string, fallback: string): number {
    const [, digits, unit] = /^([0-9]{1,9})(b|kb|mb)?$/i.exec(this.text(name) ?? fallback) ?? [];
    const factor = { b: 1, kb: 1024, mb: 1024 ** 2 }[unit?.toLowerCase() ?? "b"] ?? 1;
    const value = Number(digits) * factor;
    if (value >= 1) return value;
    this.fault(name, "must be a number of bytes such as 102400, 100kb or 1mb");
    return 0;
  }

  oneOf<const T extends string>(name: string, fallback: T, values: readonly T[]): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = values.find((each) => each === text);
    if (value !== undefined) return value;
    this.fault(name, `must be one of ${values.join(", ")}`);
    return fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.text(name);
    if (text === undefined) return fallback;
    if (["on", "true", "1"].includes(text)) return true;
    if (["off", "false", "0"].includes(text)) return false;
    this.fault(name, "must be on or off");
    return fallback;
  }

  /** Notes that a required variable is not set, unless it is set and already found faulty. */
  missing(name: string, wanted: string): string {
    if (!this.has(name)) this.fault(name, `must be set: ${wanted}`);
    return "";
  }

  fault(name: string, what: string): void {
    this.faults.push(`${name} ${what}`);
  }

  assertNoFaults(): void {
    if (this.faults.length > 0) throw new ConfigError(this.faults);
  }
}
