import cluster from "node:cluster";
import type { Logger } from "pino";
import { createTeaShop } from "./app";
import { processEnvironment, productionSettings } from "./config";
import type { Settings } from "./config/settings";
import { checkDatabase } from "./database/database-check";
import { Migrator } from "./database/migrations/migrator";
import { checkRoleSettings } from "./database/role-settings";
import { OperatorError } from "./errors";
import { libraryWarnings } from "./operations/library-warnings";
import { createLogger } from "./operations/logger";
import { runProcess, type Lifecycle } from "./process/lifecycle";
import { startServer } from "./process/server";
import { startWorkers } from "./process/workers";

/** The production entry point: a process that serves requests, or a primary process with workers. */
async function start(lifecycle: Lifecycle): Promise<void> {
  const settings = productionSettings(processEnvironment());
  const logger = createLogger(settings.logLevel);
  console.warn = libraryWarnings(logger);

  if (cluster.isWorker) {
    process.on("SIGHUP", () => undefined); // the primary process handles it
    return serve(settings, logger, lifecycle);
  }
  logger.info({ ...settings.release, node: process.version }, "starting");
  await assertUsable(settings, logger);
  if (settings.workers > 1) return startPrimary(settings, logger, lifecycle);
  process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM")); // there are no workers to replace
  return serve(settings, logger, lifecycle);
}

/** @throws OperatorError if the database can't be used as it is */
async function assertUsable(settings: Settings, logger: Logger): Promise<void> {
  await checkDatabase(settings.database.url);
  const warn = (message: string) => logger.warn(message);
  await new Migrator({ ...settings.migrations, warn }).assertCurrent();
  await checkRoleSettings(settings.database.url, warn);
}

async function startPrimary(
  settings: Settings,
  logger: Logger,
  lifecycle: Lifecycle,
): Promise<void> {
  const starting = startWorkers(settings.workers, logger);
  process.on("SIGHUP", () => void starting.then((workers) => workers.roll()));
  const workers = await starting;
  lifecycle.onEnd(() => workers.stop());
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

/** Prints faults that the operator can fix as plain text, and logs all others with their stack. */
function report(fault: unknown): void {
  if (fault instanceof OperatorError) process.stderr.write(`${fault.message}\n`);
  else createLogger("fatal").fatal({ err: fault }, "unexpected failure");
}

// The service goes on if its output can't be written any more, for example to a full disk.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

runProcess({ start, report, signals: ["SIGINT", "SIGTERM"] });
