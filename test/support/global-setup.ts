import "reflect-metadata";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Migrator } from "../../src/database/migrations";
import { startEmbeddedPostgres } from "../../src/local/embedded-postgres";
import { administrate, TEMPLATE } from "./database";
import { SERVER_URL_VARIABLE } from "./server-url";
import { atTeardown } from "./teardown";

/** Starts a PostgreSQL server, or uses `TEST_DATABASE_URL`, and prepares the template database on it. */
export default async function globalSetup(): Promise<void> {
  const url = new URL(process.env.TEST_DATABASE_URL || (await startServer()));
  process.env[SERVER_URL_VARIABLE] = url.href;
  await administrate(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await administrate(`CREATE DATABASE ${TEMPLATE} TEMPLATE template0`);
  url.pathname = TEMPLATE;
  await new Migrator({ databaseUrl: url.href }).up();
  atTeardown(() => administrate(`DROP DATABASE ${TEMPLATE} WITH (FORCE)`));
}

async function startServer(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "tea-shop-test-"));
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  atTeardown(() => server.remove());
  return server.url("postgres");
}
