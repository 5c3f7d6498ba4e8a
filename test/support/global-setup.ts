import "reflect-metadata";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Migrator } from "../../src/database/migrations/migrator";
import { startEmbeddedPostgres } from "../../src/embedded-postgres";
import { administrate, dropAllOf, query } from "./database";
import { RUN_VARIABLE, runName, SERVER_URL_VARIABLE, templateName } from "./server-url";
import { atTeardown, tearDown } from "./teardown";

/**
 * Starts a PostgreSQL server, or uses `TEST_DATABASE_URL`, and prepares the template database on it. The tests of the
 * examples need what these generate.
 */
export default async function globalSetup(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void tearDown().finally(() => process.exit(1)));
  }
  execFileSync(process.execPath, [path.join(__dirname, "../../examples/generate.mjs")]);
  const url = new URL(process.env.TEST_DATABASE_URL || (await startServer()));
  process.env[SERVER_URL_VARIABLE] = url.href;
  process.env[RUN_VARIABLE] = `tea_shop_test_${randomBytes(4).toString("hex")}`;
  atTeardown(() => dropAllOf(runName()));
  await administrate(`CREATE DATABASE ${templateName()} TEMPLATE template0`);
  url.pathname = templateName();
  await new Migrator({ databaseUrl: url.href }).up();
}

/** Linux's folder in memory. */
const MEMORY = "/dev/shm";

const PASSWORD = "of-the-test-server";

/** Enough free bytes; a run needs a tenth of them. */
const AMPLE = 2_000_000_000;

async function startServer(): Promise<string> {
  const dataDir = await mkdtemp(path.join(await roomyFolder(), "tea-shop-test-"));
  const server = await startEmbeddedPostgres({ dataDir, password: PASSWORD, durable: false });
  atTeardown(() => server.remove());
  // The usual 4096 rounds of hashing would take more of each connection than the rest of it.
  const cheaply = `SET scram_iterations = 1; ALTER ROLE CURRENT_USER PASSWORD '${PASSWORD}'`;
  await query(server.url(), cheaply);
  return server.url();
}

/** A folder in memory if there is room: each test file creates and drops a database of some 300 files. */
async function roomyFolder(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free > AMPLE ? MEMORY : tmpdir();
}
