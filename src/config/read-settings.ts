import path from "node:path";
import { passwordFormIssue } from "../vocabulary/text/password";
import { buildId, release } from "./this-process";
import { readDocumentList } from "./document-list";
import { logLevels, type ConfigReader } from "./reader";
import {
  connectionString,
  emailAddress,
  headerName,
  normalOrigin,
  origin,
  publicOrigin,
  replicaConnectionString,
  secret,
} from "./text-forms";

const MANY = 1_000_000_000;

/** Settings of earlier releases, which are constants here. One that is still set has no effect. */
export const formerSettings = [
  ...["DATABASE_ACQUIRE_TIMEOUT", "DATABASE_QUEUE_LIMIT", "LOGIN_CONCURRENCY", "LOGIN_QUEUE_LIMIT"],
  ...["GRAPHQL_MAX_ALIASES", "GRAPHQL_MAX_ANSWER", "GRAPHQL_MAX_DEPTH", "GRAPHQL_MAX_TOKENS"],
  ...["GRAPHQL_MAX_WEIGHT", "GRAPHQL_SUGGESTIONS", "SHARED_READS"],
];

/** Which addresses webhooks may be sent to besides public ones: none, those of this machine, or any. */
const privateAddressRanges = ["off", "loopback", "on"] as const;

/** The defaults that differ between production and a local start. */
export interface EntryDefaults {
  /** Whether errors of GraphQL may suggest names of the schema ("Did you mean"). */
  readonly suggestions: boolean;
  readonly corsOrigins: readonly string[];
  readonly privateAddresses: (typeof privateAddressRanges)[number];
}

/**
 * Reads every setting, with its default and its bounds; docs/settings.md says what each is for. The reader collects
 * issues in the order of reading.
 */
export function readSettings(
  reader: ConfigReader,
  { suggestions, corsOrigins, privateAddresses }: EntryDefaults,
) {
  const server = { port: reader.integer("PORT", 3000, 0, 65_535), host: reader.text("HOST") };
  const url = reader.checked("DATABASE_URL", connectionString);
  const directUrl = reader.checked("MIGRATION_DATABASE_URL", connectionString) ?? url;
  return {
    server,
    /** Undefined: metrics are served nowhere, and nothing is counted. */
    metrics: reader.address("METRICS"),
    database: {
      url,
      /** Connections of one process. */
      poolSize: reader.integer("DATABASE_POOL_SIZE", 8, 1, 1000),
      /** The pool answers 200 requests in a tenth of a second; more that wait had better come back. */
      queueLimit: 200,
      /** Milliseconds. A client that retries is served sooner than one that waits for longer than a second. */
      acquireTimeout: 1_000,
      namedStatements: reader.flag("NAMED_STATEMENTS", true),
      replicaUrls: reader.list("DATABASE_REPLICA_URLS", replicaConnectionString) ?? [],
      /** Maximum staleness of a read from a replica, in milliseconds. A client's own writes are always visible. */
      replicaMaxLag: reader.integer("REPLICA_MAX_LAG", 1000, 0, 3_600_000),
    },
    /** A direct connection: behind a pooler in transaction mode the lock would be lost. */
    migrations: { databaseUrl: directUrl },
    dataDir: path.resolve(reader.text("DATA_DIR") ?? ".data"),
    tokens: {
      secret: reader.checked("JWT_SECRET", secret),
      /** Tokens that they signed are still valid, and new ones are not signed with them. */
      previousSecrets: reader.list("JWT_PREVIOUS_SECRETS", secret) ?? [],
      /** Seconds. */
      ttl: reader.integer("JWT_TTL", 3600, 1, 31_536_000),
      /** Seconds after a login until which its token can be renewed. Then all its tokens have expired. */
      loginTtl: reader.integer("LOGIN_TTL", 43_200, 1, 31_536_000),
    },
    /** For data that is signed or encrypted for longer than a token lives, such as lookups of orders. */
    data: {
      secret: reader.checked("DATA_SECRET", secret),
      previousSecrets: reader.list("DATA_PREVIOUS_SECRETS", secret),
    },
    firstAdmin: readFirstAdmin(reader),
    passwords: { cost: reader.integer("BCRYPT_COST", 12, 4, 20) },
    login: {
      /** A comparison is pure work, 0.2 s at cost 12: two at a time would each take twice as long, or a core from requests. */
      concurrency: 1,
      /** The last of 20 waits for 4 s, about as long as a person does. */
      queueLimit: 20,
      /** Failures in 15 minutes for one account from one address, and from one address; 0 means no limit. */
      failureLimit: reader.integer("LOGIN_FAILURE_LIMIT", 10, 0, MANY),
      addressFailureLimit: reader.integer("LOGIN_ADDRESS_FAILURE_LIMIT", 50, 0, MANY),
    },
    /** Where browsers find the service, such as `https://shop.example.com`; undefined: nobody has said. */
    publicOrigin: readPublicOrigin(reader),
    /** Whether administrators without a second factor can do nothing but set one up. */
    requireSecondFactor: reader.flag("REQUIRE_SECOND_FACTOR", false),
    /** Requests a minute from one address; 0 means no limit. */
    rateLimits: {
      orders: reader.integer("ORDER_RATE_LIMIT", 600, 0, MANY),
      newsletter: reader.integer("NEWSLETTER_RATE_LIMIT", 20, 0, MANY),
      lookups: reader.integer("LOOKUP_RATE_LIMIT", 60, 0, MANY),
    },
    /** Whether a subscription waits until its address is confirmed. */
    newsletter: { confirmation: reader.flag("NEWSLETTER_CONFIRMATION", false) },
    http: {
      /** Seconds after an answer until a connection without another request is closed. */
      keepAliveTimeout: reader.integer("KEEP_ALIVE_TIMEOUT", 75, 1, 3600),
      /** The number of proxies in front of the service whose `X-Forwarded-For` is trusted. */
      trustProxy: reader.integer("TRUST_PROXY", 0, 0, 100),
      /** `localhost` stands for any port of this machine. */
      corsOrigins: reader.list("CORS_ORIGINS", origin)?.map(normalOrigin) ?? corsOrigins,
      corsHeaders: reader.list("CORS_HEADERS", headerName) ?? [],
      /** Bytes of a request's body after decompression. */
      bodyLimit: reader.bytes("BODY_LIMIT", "100kb"),
    },
    catalogue: {
      cache: reader.flag("CATALOGUE_CACHE", true),
      /** Seconds for which shared caches, such as a CDN, may use an answer without asking. */
      maxAge: reader.integer("CATALOGUE_MAX_AGE", 0, 0, 31_536_000),
      /** Two builds may answer the same read differently. */
      build: buildId,
    },
    /** Seconds. */
    idempotencyKeys: { ttl: reader.integer("IDEMPOTENCY_TTL", 86_400, 1, 31_536_000) },
    explorer: reader.flag("EXPLORER", true),
    graphql: {
      introspection: reader.flag("INTROSPECTION", true),
      documents: readDocumentList(reader, "GRAPHQL_DOCUMENTS"),
      /** Whether a GET needs a header that pages of other origins can send only after a preflight. */
      csrfPrevention: reader.flag("GRAPHQL_CSRF", false),
      suggestions,
      /** Of a document: twelve times the introspection query; parsing them takes milliseconds. */
      maxTokens: 2_000,
      operationLimits: {
        /** The products of the category of an ordered product, with all levels of lists, have 8. */
        maxDepth: 12,
        /** The estimated work of the database: looking rows up and reading them; a list counts as a full page. */
        maxCost: reader.integer("GRAPHQL_MAX_COST", 2000, 1, MANY),
        /** One document is no batch of requests. */
        maxAliases: 50,
        /** About a megabyte of the answer: more blocks the event loop for other requests. */
        maxWeight: 1_000_000,
      },
      /** Bytes. Texts may be longer than the weight assumes; a few of these must fit in memory. */
      maxAnswer: 8 * 1024 ** 2,
    },
    /** Whether the log lines of requests that were refused with 401, 403 or 429 have the client's address. */
    log: { clientAddress: reader.flag("LOG_CLIENT_ADDRESS", true) },
    logLevel: reader.oneOf("LOG_LEVEL", "info", logLevels),
    /** Statements that take at least so many milliseconds are logged; undefined: none. */
    slowQuery: reader.integer("SLOW_QUERY_MS", 0, 0, 86_400_000) || undefined,
    /** Days after which entries are deleted; undefined: never. */
    auditRetention: reader.integer("AUDIT_RETENTION", 0, 1, 36_500) || undefined,
    /** Days, of 24 hours each. */
    eventRetention: reader.integer("EVENT_RETENTION", 30, 1, 36_500),
    webhooks: {
      dispatch: reader.flag("DISPATCH", true),
      privateAddresses: reader.oneOf(
        "WEBHOOK_PRIVATE_ADDRESSES",
        privateAddresses,
        privateAddressRanges,
      ),
    },
    release,
    /** Names of former settings that are still set, and have no effect. */
    formerSettings: formerSettings.filter((name) => reader.has(name)),
    workers: reader.integer("WEB_CONCURRENCY", 1, 1, 256),
  };
}

function readPublicOrigin(reader: ConfigReader): string | undefined {
  const text = reader.checked("PUBLIC_ORIGIN", publicOrigin);
  return text === undefined ? undefined : normalOrigin(text);
}

/** The administrator to create if there is none. */
function readFirstAdmin(reader: ConfigReader) {
  const email = reader.checked("ADMIN_EMAIL", emailAddress);
  const password = reader.text("ADMIN_PASSWORD");
  const issue = password === undefined ? undefined : passwordFormIssue(password);
  if (issue) reader.issue("ADMIN_PASSWORD", issue.message);
  if (reader.has("ADMIN_EMAIL") !== reader.has("ADMIN_PASSWORD")) {
    reader.issue("ADMIN_EMAIL, ADMIN_PASSWORD", "must be set both or not at all");
  }
  return email !== undefined && password !== undefined ? { email, password } : undefined;
}
