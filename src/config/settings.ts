import type { Release } from "./this-process";

/** All settings of a shop, grouped by the part that uses them. docs/settings.md has a table of them. */
export interface Settings {
  readonly server: ServerSettings;
  /** Where metrics are served; undefined: nowhere, and nothing is counted. */
  readonly metrics: ServerSettings | undefined;
  readonly database: DatabaseSettings;
  readonly migrations: MigrationSettings;
  /** Absolute path of the folder for the embedded database and generated secrets. */
  readonly dataDir: string;
  readonly tokens: TokenSettings;
  readonly data: DataSettings;
  /** The administrator to create if there is none. */
  readonly firstAdmin: Credentials | undefined;
  readonly passwords: PasswordSettings;
  readonly login: LoginSettings;
  /** Where browsers find the service, such as `https://shop.example.com`; undefined: nobody has said. */
  readonly publicOrigin: string | undefined;
  /** Whether administrators without a second factor can do nothing but set one up. */
  readonly requireSecondFactor: boolean;
  readonly rateLimits: RateLimitSettings;
  readonly http: HttpSettings;
  readonly catalogue: CatalogueSettings;
  readonly idempotencyKeys: IdempotencyKeySettings;
  /** Whether the pages `/explorer` and `/docs` are served. */
  readonly explorer: boolean;
  readonly graphql: GraphqlSettings;
  readonly logLevel: LogLevel;
  readonly log: LogSettings;
  /** Statements that take at least so many milliseconds are logged; undefined: none. */
  readonly slowQuery: number | undefined;
  /** Days after which entries of the audit log are deleted; undefined: never. */
  readonly auditRetention: number | undefined;
  /** Days, of 24 hours each, for which events are kept. */
  readonly eventRetention: number;
  readonly webhooks: WebhookSettings;
  readonly release: Release;
  /** Names of former settings that are still set, and have no effect. */
  readonly formerSettings: readonly string[];
  /** Processes that serve requests in production. */
  readonly workers: number;
}

/** Settings in which the database and the secrets may be missing: a local start creates them. */
export interface LocalSettings extends Omit<
  Settings,
  "database" | "migrations" | "tokens" | "data"
> {
  readonly database: MayLack<DatabaseSettings, "url">;
  readonly migrations: MayLack<MigrationSettings, "databaseUrl">;
  readonly tokens: MayLack<TokenSettings, "secret">;
  readonly data: MayLack<DataSettings, keyof DataSettings>;
}

type MayLack<T, Name extends keyof T> = Omit<T, Name> & {
  readonly [Key in Name]: T[Key] | undefined;
};

export interface ServerSettings {
  /** 0 takes any free port. */
  readonly port: number;
  /** Address to listen on; undefined for all interfaces. */
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
  /** Whether statements may be prepared under a name; a pooler in transaction mode may lose these names. */
  readonly namedStatements: boolean;
  /** Databases that follow this one, which reads are sent to. */
  readonly replicaUrls: readonly string[];
  /** Milliseconds that a read from a replica may be behind changes that its client was not told of. */
  readonly replicaMaxLag: number;
}

export interface MigrationSettings {
  /** A direct connection: behind a pooler in transaction mode the lock would be lost. */
  readonly databaseUrl: string;
}

export interface TokenSettings {
  readonly secret: string;
  /** Former secrets: tokens that they signed are still valid, new tokens are not signed with them. */
  readonly previousSecrets: readonly string[];
  /** Lifetime of an access token, in seconds. */
  readonly ttl: number;
  /** Seconds after a login until which its token can be renewed. Then all its tokens have expired. */
  readonly loginTtl: number;
}

/** The secrets for data that is signed or encrypted for longer than a token lives, such as lookups of orders. */
export interface DataSettings {
  readonly secret: string;
  /** Former secrets: their signatures are still accepted, and nothing new is signed with them. */
  readonly previousSecrets: readonly string[];
}

export interface PasswordSettings {
  /** bcrypt's cost for new hashes: each step doubles the time. */
  readonly cost: number;
}

/** Failures are counted over 15 minutes; a failure limit of 0 means no limit. */
export interface LoginSettings {
  /** Logins that are checked at the same time. */
  readonly concurrency: number;
  /** Logins that may wait for a check; further ones are refused at once. */
  readonly queueLimit: number;
  /** Failed logins for one account from one address. */
  readonly failureLimit: number;
  /** Failed logins from one address, over all accounts. */
  readonly addressFailureLimit: number;
}

/** Requests a minute from one address; 0 means no limit. */
export interface RateLimitSettings {
  readonly orders: number;
  readonly newsletter: number;
  /** Requests for orders by their lookups. */
  readonly lookups: number;
}

export interface HttpSettings {
  /** Seconds after an answer until a connection without another request is closed. */
  readonly keepAliveTimeout: number;
  /** The number of proxies in front of the service whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: number;
  /** Origins that browsers may call from; `localhost` stands for any port of this machine. */
  readonly corsOrigins: readonly string[];
  /** Further request headers that pages of these origins may send. */
  readonly corsHeaders: readonly string[];
  /** The largest request body, in bytes after decompression. */
  readonly bodyLimit: number;
}

export interface CatalogueSettings {
  /** Whether answers of catalogue reads are kept. If not, each read goes to the database. */
  readonly cache: boolean;
  /** Seconds that shared caches, such as a CDN, may use an answer without asking. */
  readonly maxAge: number;
  /** Identifies the build: two builds may answer the same read differently. */
  readonly build: string;
}

export interface IdempotencyKeySettings {
  /** How long keys are remembered, in seconds. */
  readonly ttl: number;
}

export interface GraphqlSettings {
  readonly introspection: boolean;
  /** Whether a GET needs a header that pages of other origins can send only after a preflight. */
  readonly csrfPrevention: boolean;
  /**
   * The documents that everybody may send, by the SHA-256 of their text; administrators may send others.
   * Undefined if everybody may send any document.
   */
  readonly documents: ReadonlyMap<string, string> | undefined;
  /** Whether errors may suggest names of the schema ("Did you mean"). */
  readonly suggestions: boolean;
  /** The most tokens of a document; a longer one is not parsed to its end. */
  readonly maxTokens: number;
  readonly operationLimits: OperationLimits;
  /** The most bytes of an answer. */
  readonly maxAnswer: number;
}

export interface LogSettings {
  /** Whether the log lines of requests that were refused with 401, 403 or 429 have the client's address. */
  readonly clientAddress: boolean;
}

export interface OperationLimits {
  /** Levels of nested fields. */
  readonly maxDepth: number;
  /** The estimated work of the database: looking rows up and reading them; a list counts as a full page. */
  readonly maxCost: number;
  readonly maxAliases: number;
  /** The estimated size of the answer in bytes, with texts of a typical length, and the work for each key. */
  readonly maxWeight: number;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface WebhookSettings {
  /** Whether the process sends webhooks. */
  readonly dispatch: boolean;
  /** Which addresses receivers may have besides public ones: none, those of this machine, or any. */
  readonly privateAddresses: "off" | "loopback" | "on";
}
