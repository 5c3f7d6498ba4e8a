/**
 * Everything that a shop can be told, by the part that takes it. Units are in the doc comments; the
 * README's table says the same.
 */
export interface Settings {
  readonly server: ServerSettings;
  readonly database: DatabaseSettings;
  readonly migrations: MigrationSettings;
  /** Absolute path of the folder for the embedded database and generated secrets. */
  readonly dataDir: string;
  readonly tokens: TokenSettings;
  /** The administrator to create where there is none. */
  readonly firstAdmin: Credentials | undefined;
  readonly passwords: PasswordSettings;
  readonly login: LoginSettings;
  readonly rateLimits: RateLimitSettings;
  readonly http: HttpSettings;
  readonly idempotencyKeys: IdempotencyKeySettings;
  /** Whether `/explorer` is served. */
  readonly explorer: boolean;
  readonly graphql: GraphqlSettings;
  readonly logLevel: LogLevel;
  /** Processes that serve requests in production. */
  readonly workers: number;
}

/** Settings where the database and the secret may be undefined: a local start finds or makes these. */
export interface LocalSettings extends Omit<Settings, "database" | "migrations" | "tokens"> {
  readonly database: MayLack<DatabaseSettings, "url">;
  readonly migrations: MayLack<MigrationSettings, "databaseUrl">;
  readonly tokens: MayLack<TokenSettings, "secret">;
}

type MayLack<T, Name extends keyof T> = Omit<T, Name> & {
  readonly [Key in Name]: T[Key] | undefined;
};

export interface ServerSettings {
  /** 0 takes any free port. */
  readonly port: number;
  /** Address to listen on; undefined is all interfaces. */
  readonly host: string | undefined;
}

export interface DatabaseSettings {
  readonly url: string;
  /** Connections in the pool of one process. */
  readonly poolSize: number;
  /** Requests that may wait for a connection; further ones are refused at once. */
  readonly queueLimit: number;
  /** Longest wait for a connection, in milliseconds. */
  readonly acquireTimeout: number;
  /** Whether statements may be prepared under a name, which a pooler in transaction mode does not keep. */
  readonly namedStatements: boolean;
}

export interface MigrationSettings {
  /** A direct connection: a pooler in transaction mode does not hold the lock. */
  readonly databaseUrl: string;
}

export interface TokenSettings {
  /** The secret that tokens are signed with. */
  readonly secret: string;
  /** Secrets that tokens were signed with before; they still verify, and sign nothing any more. */
  readonly previousSecrets: readonly string[];
  /** Lifetime of an access token, in seconds. */
  readonly ttl: number;
}

export interface PasswordSettings {
  /** bcrypt's cost of new hashes: each step doubles the time. */
  readonly cost: number;
}

/** Failures are counted over 15 minutes; a failure limit of 0 is off. */
export interface LoginSettings {
  /** Logins that are judged at one time. */
  readonly concurrency: number;
  /** Logins that may wait for that; further ones are refused at once. */
  readonly queueLimit: number;
  /** Failed logins for one account from one address. */
  readonly failureLimit: number;
  /** Failed logins from one address, whatever the accounts. */
  readonly addressFailureLimit: number;
}

/** Requests a minute from one address; 0 is off. */
export interface RateLimitSettings {
  readonly orders: number;
  readonly newsletter: number;
}

export interface HttpSettings {
  /** Proxies in front of the service whose `X-Forwarded-For` is believed. */
  readonly trustProxy: number;
  /** Origins that browsers may call from; `localhost` stands for any port of this machine. */
  readonly corsOrigins: readonly string[];
  /** Greatest request body, in bytes after decompression. */
  readonly bodyLimit: number;
}

export interface IdempotencyKeySettings {
  /** How long keys are remembered, in seconds. */
  readonly ttl: number;
}

export interface GraphqlSettings {
  readonly introspection: boolean;
  /** Whether "Did you mean" in errors may tell names of the schema. */
  readonly suggestions: boolean;
  /** Tokens of a document at most; further ones are not even read. */
  readonly maxTokens: number;
  readonly operationLimits: OperationLimits;
  /** Bytes of an answer at most. */
  readonly maxAnswer: number;
}

/** Bounds of one GraphQL operation. */
export interface OperationLimits {
  /** Levels of fields below each other. */
  readonly maxDepth: number;
  /** What is asked of the database: rows, lists counted by their page size, and finding them. */
  readonly maxCost: number;
  readonly maxAliases: number;
  /** About the bytes of the answer, texts at a typical length, and the work on each key of it. */
  readonly maxWeight: number;
}

/** What an administrator logs in with. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];
