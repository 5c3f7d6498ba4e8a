import cluster from "node:cluster";
import type { Logger } from "pino";
import { createTeaShop } from "./app";
import { processEnvironment, productionSettings } from "./config/index";
import type { Settings } from "./config/settings";
import { Migrator } from "./database/migrations/migrator";
import { checkRoleSettings } from "./database/role-settings";
import { startWorkers } from "./process/workers";
import { checkDatabase } from "./database/database-check";
import { OperatorError } from "./errors";
import { runProcess, type Lifecycle } from "./process/lifecycle";
import { createLogger } from "./operations/logger";
import { startServer } from "./process/server";

async function start(lifecycle: Lifecycle): Promise<void> {
  const settings = productionSettings(processEnvironment());
  const logger = createLogger(settings.logLevel);
  // Sequelize warns on the console, and a log is one JSON object a line throughout.
  console.warn = (message: unknown) => logger.warn(String(message));
  if (cluster.isWorker) {
    process.on("SIGHUP", () => undefined); // rolling is the primary's business
    return serve(settings, logger, lifecycle);
  }
  await checkDatabase(settings.database.url);
  await new Migrator(settings.migrations).assertCurrent();
  await checkRoleSettings(settings.database.url, (message) => logger.warn(message));
  if (settings.workers === 1) {
    process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM")); // there is nobody to roll
    return serve(settings, logger, lifecycle);
  }

  const starting = startWorkers(settings.workers, logger);
  process.on("SIGHUP", () => void starting.then((workers) => workers.roll()));
  const workers = await starting;
  lifecycle.onEnd(() => workers.stop());
  return undefined;
}

async function serve(settings: Settings, logger: Logger, lifecycle: Lifecycle): Promise<void> {
  const shop = createTeaShop(settings, logger);
  lifecycle.onEnd(() => shop.close());
  if (settings.firstAdmin && (await shop.services.accounts.ensureFirst(settings.firstAdmin))) {
    logger.info({ email: settings.firstAdmin.email }, "created the first administrator");
  }

  const server = await startServer(shop.handler, settings.server);
  lifecycle.onEnd(async () => {
    shop.startDraining();
    logger.info("draining");
    await server.drain();
  });
  logger.info({ address: server.address, pid: process.pid }, "listening");
}

/** Faults that whoever deploys can mend are told in plain lines, all else with its stack. */
function report(fault: unknown): void {
  if (fault instanceof OperatorError) process.stderr.write(`${fault.message}\n`);
  else createLogger("fatal").fatal({ err: fault }, "unexpected failure");
}

// A log that nobody takes any more, as on a full disk, is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

runProcess({ start, report, signals: ["SIGINT", "SIGTERM"] });
