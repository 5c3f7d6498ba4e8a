import type { LocalSettings } from "../config/settings";
import { checkDatabase } from "../database/database-check";
import { Migrator } from "../database/migrations/migrator";
import { checkRoleSettings } from "../database/role-settings";
import { seedDemo } from "../demo";
import { OperatorError } from "../errors";
import type { Lifecycle } from "../process/lifecycle";
import { startEmbeddedDatabase } from "./embedded-database";
import { isNewDatabase } from "./new-database";

const warn = (message: string): void => console.error(`warning: ${message}`);

/**
 * Brings the database of `DATABASE_URL` up to date, or else the embedded one, which is filled with the
 * demonstration at the first start. Returns its connection string.
 *
 * @throws OperatorError
 */
export async function openDatabase(settings: LocalSettings, lifecycle: Lifecycle): Promise<string> {
  const { url } = settings.database;
  if (url === undefined) return openEmbedded(settings.dataDir, lifecycle);
  await checkDatabase(url);
  await new Migrator({ databaseUrl: settings.migrations.databaseUrl ?? url, warn }).up();
  await checkRoleSettings(url, warn);
  return url;
}

async function openEmbedded(dataDir: string, lifecycle: Lifecycle): Promise<string> {
  const server = await startEmbeddedDatabase({
    dataDir,
    log: (line) => console.log(line),
    onLost: (fault) => lifecycle.fail(fault),
  });
  lifecycle.onEnd(() => server.stop());
  if (!(await server.claim())) {
    throw new OperatorError(
      `A tea shop is already running on the data folder ${dataDir}: stop that one, or set DATA_DIR (and PORT) for another`,
    );
  }
  const databaseUrl = server.url();
  await new Migrator({ databaseUrl, warn }).up();
  if (await isNewDatabase(databaseUrl)) await seedDemo(databaseUrl);
  return databaseUrl;
}
