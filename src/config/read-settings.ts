import path from "node:path";
import { passwordFormFault } from "../vocabulary/text/password";
import { buildId, release } from "./this-process";
import { readDocumentList } from "./document-list";
import type { ConfigReader } from "./reader";
import {
  logLevels,
  type GraphqlSettings,
  type HttpSettings,
  type LocalSettings,
  type LoginSettings,
  type WebhookSettings,
} from "./settings";
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

/** The defaults that differ between production and a local start. */
export type EntryDefaults = Pick<GraphqlSettings, "suggestions"> &
  Pick<HttpSettings, "corsOrigins"> &
  Pick<WebhookSettings, "privateAddresses">;

/** Reads every setting, with its default and its bounds. The reader collects faults in the order of reading. */
export function readSettings(
  reader: ConfigReader,
  { suggestions, corsOrigins, privateAddresses }: EntryDefaults,
): LocalSettings {
  const server = { port: reader.integer("PORT", 3000, 0, 65_535), host: reader.text("HOST") };
  const url = reader.checked("DATABASE_URL", connectionString);
  const directUrl = reader.checked("MIGRATION_DATABASE_URL", connectionString) ?? url;
  return {
    server,
    metrics: reader.address("METRICS"),
    database: {
      url,
      poolSize: reader.integer("DATABASE_POOL_SIZE", 8, 1, 1000),
      // The pool answers 200 requests in a tenth of a second; more that wait are better told to come back.
      queueLimit: 200,
      // A client that retries is served sooner than one that waits for longer than a second.
      acquireTimeout: 1_000,
      namedStatements: reader.flag("NAMED_STATEMENTS", true),
      replicaUrls: reader.list("DATABASE_REPLICA_URLS", replicaConnectionString) ?? [],
      replicaMaxLag: reader.integer("REPLICA_MAX_LAG", 1000, 0, 3_600_000),
    },
    migrations: { databaseUrl: directUrl },
    dataDir: path.resolve(reader.text("DATA_DIR") ?? ".data"),
    tokens: {
      secret: reader.checked("JWT_SECRET", secret),
      previousSecrets: reader.list("JWT_PREVIOUS_SECRETS", secret) ?? [],
      ttl: reader.integer("JWT_TTL", 3600, 1, 31_536_000),
      loginTtl: reader.integer("LOGIN_TTL", 43_200, 1, 31_536_000),
    },
    data: {
      secret: reader.checked("DATA_SECRET", secret),
      previousSecrets: reader.list("DATA_PREVIOUS_SECRETS", secret),
    },
    firstAdmin: readFirstAdmin(reader),
    passwords: { cost: reader.integer("BCRYPT_COST", 12, 4, 20) },
    login: readLogin(reader),
    publicOrigin: readPublicOrigin(reader),
    requireSecondFactor: reader.flag("REQUIRE_SECOND_FACTOR", false),
    rateLimits: {
      orders: reader.integer("ORDER_RATE_LIMIT", 600, 0, MANY),
      newsletter: reader.integer("NEWSLETTER_RATE_LIMIT", 20, 0, MANY),
      lookups: reader.integer("LOOKUP_RATE_LIMIT", 60, 0, MANY),
    },
    http: {
      keepAliveTimeout: reader.integer("KEEP_ALIVE_TIMEOUT", 75, 1, 3600),
      trustProxy: reader.integer("TRUST_PROXY", 0, 0, 100),
      corsOrigins: reader.list("CORS_ORIGINS", origin)?.map(normalOrigin) ?? corsOrigins,
      corsHeaders: reader.list("CORS_HEADERS", headerName) ?? [],
      bodyLimit: reader.bytes("BODY_LIMIT", "100kb"),
    },
    catalogue: {
      cache: reader.flag("CATALOGUE_CACHE", true),
      maxAge: reader.integer("CATALOGUE_MAX_AGE", 0, 0, 31_536_000),
      build: buildId,
    },
    idempotencyKeys: { ttl: reader.integer("IDEMPOTENCY_TTL", 86_400, 1, 31_536_000) },
    explorer: reader.flag("EXPLORER", true),
    graphql: readGraphql(reader, suggestions),
    log: { clientAddress: reader.flag("LOG_CLIENT_ADDRESS", true) },
    logLevel: reader.oneOf("LOG_LEVEL", "info", logLevels),
    slowQuery: reader.integer("SLOW_QUERY_MS", 0, 0, 86_400_000) || undefined,
    auditRetention: reader.integer("AUDIT_RETENTION", 0, 1, 36_500) || undefined,
    eventRetention: reader.integer("EVENT_RETENTION", 30, 1, 36_500),
    webhooks: {
      dispatch: reader.flag("DISPATCH", true),
      privateAddresses: reader.oneOf("WEBHOOK_PRIVATE_ADDRESSES", privateAddresses, [
        "off",
        "loopback",
        "on",
      ]),
    },
    release,
    formerSettings: formerSettings.filter((name) => reader.has(name)),
    workers: reader.integer("WEB_CONCURRENCY", 1, 1, 256),
  };
}

const readLogin = (reader: ConfigReader): LoginSettings => ({
  // A comparison is pure work, 0.2 s at cost 12: two at a time would each take twice as long, or a core from requests.
  concurrency: 1,
  // The last of 20 waits for 4 s, about as long as a person does.
  queueLimit: 20,
  failureLimit: reader.integer("LOGIN_FAILURE_LIMIT", 10, 0, MANY),
  addressFailureLimit: reader.integer("LOGIN_ADDRESS_FAILURE_LIMIT", 50, 0, MANY),
});

const readPublicOrigin = (reader: ConfigReader): string | undefined => {
  const text = reader.checked("PUBLIC_ORIGIN", publicOrigin);
  return text === undefined ? undefined : normalOrigin(text);
};

const readGraphql = (reader: ConfigReader, suggestions: boolean): GraphqlSettings => ({
  introspection: reader.flag("INTROSPECTION", true),
  documents: readDocumentList(reader, "GRAPHQL_DOCUMENTS"),
  csrfPrevention: reader.flag("GRAPHQL_CSRF", false),
  suggestions,
  maxTokens: 2_000, // twelve times the introspection query; parsing them takes milliseconds
  operationLimits: {
    maxDepth: 12, // the products of the category of an ordered product, with all levels of lists, have 8
    maxCost: reader.integer("GRAPHQL_MAX_COST", 2000, 1, MANY),
    maxAliases: 50, // one document is no batch of requests
    maxWeight: 1_000_000, // about a megabyte: more blocks the event loop for other requests
  },
  maxAnswer: 8 * 1024 ** 2, // texts may be longer than the weight assumes; a few of these must fit in memory
});

function readFirstAdmin(reader: ConfigReader): LocalSettings["firstAdmin"] {
  const email = reader.checked("ADMIN_EMAIL", emailAddress);
  const password = reader.text("ADMIN_PASSWORD");
  const fault = password === undefined ? undefined : passwordFormFault(password);
  if (fault) reader.fault("ADMIN_PASSWORD", fault.message);
  if (reader.has("ADMIN_EMAIL") !== reader.has("ADMIN_PASSWORD")) {
    reader.fault("ADMIN_EMAIL, ADMIN_PASSWORD", "must be set both or not at all");
  }
  return email !== undefined && password !== undefined ? { email, password } : undefined;
}
