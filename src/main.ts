import { createTeaShop } from "./app";
import { ConfigError, processEnvironment, productionSettings } from "./config";
import { MigrationError, Migrator } from "./database/migrations";
import { checkDatabase, DatabaseFault } from "./operations/database-check";
import { runProcess, type Lifecycle } from "./operations/lifecycle";
import { createLogger } from "./operations/logger";
import { ListenError, startServer } from "./operations/server";

async function start(lifecycle: Lifecycle): Promise<void> {
  const settings = productionSettings(processEnvironment());
  const logger = createLogger(settings.logLevel);
  await checkDatabase(settings.databaseUrl);
  const databaseUrl = settings.migrationDatabaseUrl ?? settings.databaseUrl;
  await assertMigrated(new Migrator({ databaseUrl }));

  const shop = createTeaShop(settings, logger);
  lifecycle.onEnd(() => shop.close());
  if (settings.firstAdmin && (await shop.services.admins.ensureFirst(settings.firstAdmin))) {
    logger.info({ email: settings.firstAdmin.email }, "created the first administrator");
  }

  const server = await startServer(shop.handler, settings);
  lifecycle.onEnd(async () => {
    shop.startDraining();
    logger.info("draining");
    await server.drain();
  });
  logger.info({ address: server.address }, "listening");
}

async function assertMigrated(migrator: Migrator): Promise<void> {
  try {
    await migrator.assertCurrent();
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    throw new MigrationError(
      `The database does not fit this release; what is not applied, npm run tea -- migrate up applies:\n${error.message}`,
      { cause: error },
    );
  }
}

const plainFaults = [ConfigError, DatabaseFault, ListenError, MigrationError];

/** Faults that whoever deploys can mend are told in plain lines, all else with its stack. */
function report(fault: unknown): void {
  if (plainFaults.some((type) => fault instanceof type)) {
    process.stderr.write(`${(fault as Error).message}\n`);
  } else createLogger("fatal").fatal({ err: fault }, "unexpected failure");
}

runProcess({ start, report, signals: ["SIGINT", "SIGTERM"] });
