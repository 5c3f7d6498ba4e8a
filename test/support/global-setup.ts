import "reflect-metadata";
import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Migrator } from "../../src/database/migrations/migrator";
import { startEmbeddedPostgres } from "../../src/embedded-postgres";
import { administrate } from "./database";
import { SERVER_URL_VARIABLE, TEMPLATE_VARIABLE } from "./server-url";
import { atTeardown, tearDown } from "./teardown";

/** Starts a PostgreSQL server, or uses `TEST_DATABASE_URL`, and prepares the template database on it. */
export default async function globalSetup(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void tearDown().finally(() => process.exit(1)));
  }
  const url = new URL(process.env.TEST_DATABASE_URL || (await startServer()));
  // A name of its own, so that two runs can share a server.
  const template = `tea_shop_test_template_${randomUUID().replaceAll("-", "")}`;
  process.env[SERVER_URL_VARIABLE] = url.href;
  process.env[TEMPLATE_VARIABLE] = template;
  await administrate(`CREATE DATABASE ${template} TEMPLATE template0`);
  atTeardown(() => administrate(`DROP DATABASE ${template} WITH (FORCE)`));
  url.pathname = template;
  await new Migrator({ databaseUrl: url.href }).up();
}

async function startServer(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "tea-shop-test-"));
  const server = await startEmbeddedPostgres({ dataDir, password: "secret", durable: false });
  atTeardown(() => server.remove());
  return server.url();
}
