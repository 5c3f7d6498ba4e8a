import { existsSync } from "node:fs";
import path from "node:path";
import type { LocalSettings } from "../config/settings";
import { checkDatabase } from "../database/checks/database-check";
import { checkIndexes } from "../database/checks/indexes";
import { checkPooler } from "../database/checks/pooler";
import { Migrator } from "../database/migrations/migrator";
import { checkRoleSettings } from "../database/checks/role-settings";
import { seedDemo } from "../demo";
import { OperatorError } from "../vocabulary/errors";
import type { Lifecycle } from "../process/lifecycle";
import type { Terminal } from "./terminal";
import { startEmbeddedDatabase } from "./embedded-database";
import { withClient } from "../database/connection/with-client";

const warn = (message: string): void => console.error(`warning: ${message}`);

/**
 * Opens the database of `DATABASE_URL` or, if that is not set, the embedded one. Applies all migrations, and returns
 * the connection string. The first start fills the embedded database with the demonstration.
 *
 * @throws OperatorError
 */
export async function openDatabase(
  settings: LocalSettings,
  lifecycle: Lifecycle,
  terminal: Terminal,
): Promise<string> {
  const { url } = settings.database;
  if (url === undefined) return openEmbedded(settings.dataDir, lifecycle, terminal);
  terminal.step("Opening the database of DATABASE_URL");
  await checkDatabase(url);
  await checkPooler({ ...settings.database, url });
  await new Migrator({ databaseUrl: settings.migrations.databaseUrl ?? url, warn }).up();
  await checkRoleSettings(url, warn);
  await checkIndexes(url, warn);
  return url;
}

async function openEmbedded(
  dataDir: string,
  lifecycle: Lifecycle,
  terminal: Terminal,
): Promise<string> {
  const exists = existsSync(path.join(dataDir, "postgres"));
  terminal.step(`${exists ? "Starting" : "Creating"} the database in ${dataDir}`);
  const server = await startEmbeddedDatabase({
    dataDir,
    log: (line) => terminal.say(line),
    onLost: (error) => lifecycle.fail(error),
  });
  lifecycle.onEnd(() => server.stop());
  if (!(await server.claim())) {
    throw new OperatorError(
      `A tea shop is already running on the data folder ${dataDir}: stop it, or set DATA_DIR (and PORT) to run another one`,
    );
  }
  const databaseUrl = server.url();
  await new Migrator({ databaseUrl, warn }).up();
  if (await isNewDatabase(databaseUrl)) {
    terminal.step("Filling it with the demo catalogue");
    await seedDemo(databaseUrl);
  }
  return databaseUrl;
}

/**
 * Whether a migrated database has never been used: it is empty and has no administrator, which a first start creates
 * last. A database whose catalogue was emptied on purpose has an administrator, so it is not new.
 */
const isNewDatabase = (databaseUrl: string): Promise<boolean> =>
  withClient(databaseUrl, async (client) => {
    const tables = ["categories", "products", "orders", "newsletter_subscribers", "admins"];
    const empty = tables.map((table) => `NOT EXISTS (SELECT FROM ${table})`).join(" AND ");
    const { rows } = await client.query<{ isNew: boolean }>(`SELECT ${empty} AS "isNew"`);
    return rows[0]?.isNew === true;
  });
