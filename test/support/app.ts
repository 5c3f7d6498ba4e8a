import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "pg";
import supertest, { type Test } from "supertest";
import { createTeaShop, type TeaShop } from "../../src/app";
import { completeSettings, localSettings } from "../../src/config";
import type { Settings } from "../../src/config/settings";
import { createLogger } from "../../src/observability/log/request-log";
import { createMetrics } from "../../src/observability/metrics";
import { messageClassesFor } from "../../src/process/server";
import { createDatabase, query, type TestDatabase } from "./database";
import { expectDocumented } from "./documented";
import { createFactories, type Factories } from "./factories";
import { assertNoSecrets } from "./log-secrets";
import { tokenFor } from "./tokens";

/** A shop with a database of its own, which answers real HTTP requests. */
export interface TestApp {
  readonly settings: Settings;
  readonly shop: TeaShop;
  readonly database: TestDatabase;
  /** Base address, such as `http://127.0.0.1:40001`. */
  readonly url: string;
  /** An HTTP client of the service. */
  readonly http: ReturnType<typeof supertest>;
  /** The log lines of the service. */
  readonly log: string[];
  /** The metrics as text; empty unless the settings say where they are served. */
  metrics(): Promise<string>;
  readonly make: Factories;
  /** An `Authorization` value of an active administrator. */
  readonly asAdmin: string;
  /** Runs SQL beside the service. */
  sql<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]>;
  /** Stops the shop. Fails if the log contains a secret or an e-mail address. */
  close(): Promise<void>;
}

/** Settings that a case overrides, by group. */
export type Overrides = { readonly [Name in keyof Settings]?: Partial<Settings[Name]> };

const cheapAndUnlimited: Overrides = {
  passwords: { cost: 4 },
  database: { queueLimit: 10_000, acquireTimeout: 20_000 },
  // Limits would disturb all tests but their own.
  login: { queueLimit: 1000, failureLimit: 0, addressFailureLimit: 0 },
  rateLimits: { orders: 0, newsletter: 0, lookups: 0 },
};

/**
 * Starts a shop. bcrypt is as cheap as possible, and there are no limits, unless a case overrides these settings. With
 * `CATALOGUE_CACHE=off`, all tests run without the cache, except those of the cache itself.
 */
export async function startApp(overrides: Overrides = {}): Promise<TestApp> {
  const database = await createDatabase();
  const secret = randomBytes(32).toString("hex");
  const { CATALOGUE_CACHE } = process.env;
  const local = localSettings({ CATALOGUE_CACHE });
  const defaults = completeSettings(local, { databaseUrl: database.url, secret });
  const settings = overridden(overridden(defaults, cheapAndUnlimited), overrides);
  const served = await serve(settings);
  // Connections stay open, because connecting costs more than a statement. They are few, because a server of
  // TEST_DATABASE_URL may limit them.
  const pool = new Pool({ connectionString: database.url, max: 4 });
  pool.on("error", () => undefined);
  const isOwn = settings.database.url === database.url;
  const sql = async <Row extends object>(statement: string, values?: unknown[]): Promise<Row[]> =>
    isOwn
      ? (await pool.query<Row>(statement, values)).rows
      : query(settings.database.url, statement, values);
  const make = createFactories(sql);
  return {
    ...served,
    database,
    make,
    asAdmin: `Bearer ${tokenFor(await make.admin(), settings.tokens.secret)}`,
    sql,
    close: async () => {
      try {
        await served.close();
      } finally {
        await pool.end();
        await database.drop();
      }
    },
  };
}

/**
 * A shop for the tests of a file or of a `describe`, started before all of them and closed after them. Only hooks and
 * tests can use its members.
 */
export function useApp(overrides: Overrides = {}): TestApp {
  const app = {} as TestApp;
  beforeAll(async () => {
    Object.assign(app, await startApp(overrides));
  });
  afterAll(() => app.close());
  return app;
}

/**
 * Starts another shop with the database and the settings of a running one, like another process of the same
 * deployment. Close it before that one.
 */
export const startReplica = async (of: TestApp, overrides: Overrides = {}): Promise<TestApp> => ({
  ...of,
  ...(await serve(overridden(of.settings, overrides))),
});

/** The settings with overrides; of a group, too, only the given settings are overridden. */
function overridden(settings: Settings, overrides: Overrides): Settings {
  const changed = Object.entries(overrides).map(([name, given]) => {
    const group = settings[name as keyof Settings];
    return [
      name,
      typeof group === "object" ? { ...(group as object), ...(given as object) } : given,
    ];
  });
  return { ...settings, ...(Object.fromEntries(changed) as Settings) };
}

type Served = Pick<TestApp, "settings" | "shop" | "url" | "http" | "log" | "metrics" | "close">;

/** Starts a shop on an existing database. */
async function serve(settings: Settings): Promise<Served> {
  const log: string[] = [];
  const logger = createLogger("debug", { write: (line) => void log.push(line) });
  const metrics = settings.metrics && createMetrics();
  const shop = createTeaShop(settings, logger, metrics?.meter);
  const server = await listen(createServer(messageClassesFor(shop.handler), shop.handler));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings,
    shop,
    url,
    http: supertest.agent(url).use((request: unknown) => checked(request as Test)),
    log,
    metrics: async () => (await metrics?.text()) ?? "",
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await shop.close();
      assertNoSecrets(log, settings);
    },
  };
}

/** Checks each answer against the OpenAPI document. */
function checked(request: Test): void {
  const { method, url } = request;
  request.expect(({ status, headers, text, redirects }) => {
    const { pathname } = new URL(redirects.at(-1) ?? url);
    expectDocumented({ method, path: pathname, status, headers, text });
  });
}

const listen = (server: Server): Promise<Server> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
