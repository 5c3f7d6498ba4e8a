import "./process/compile-cache";
import cluster from "node:cluster";
import { setFlagsFromString } from "node:v8";
import type { Logger } from "pino";
import { createTeaShop, type TeaShop } from "./app";
import { processEnvironment, productionSettings } from "./config";
import type { Settings } from "./config/settings";
import { commandContext } from "./config/this-process";
import { inWriteContext } from "./vocabulary/current-work";
import { logStart } from "./observability/log/library-warnings";
import { createMetrics } from "./observability/metrics";
import { WorkerMetrics } from "./observability/metrics/worker-metrics";
import { runProcess, type Lifecycle } from "./process/lifecycle";
import { startServer } from "./process/server";
import { startWorkers } from "./process/workers";
import { assertUsable, productionLogger, reportFailure, serveMetrics } from "./wiring/production";

/** The production entry point: a process that serves requests, or a main process with workers. */
async function start(lifecycle: Lifecycle): Promise<void> {
  const { environment, fileIssues } = processEnvironment();
  const settings = productionSettings(environment, fileIssues);
  const logger = productionLogger(settings);

  if (cluster.isWorker) {
    process.on("SIGHUP", () => undefined); // the main process handles it
    return serve(settings, logger, lifecycle);
  }
  logStart(logger, settings);
  await assertUsable(settings, logger);
  if (settings.workers > 1) return startMain(settings, logger, lifecycle);
  process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM")); // there are no workers to replace
  return serve(settings, logger, lifecycle);
}

async function startMain(settings: Settings, logger: Logger, lifecycle: Lifecycle): Promise<void> {
  if (settings.metrics) {
    const metrics = new WorkerMetrics();
    await serveMetrics(settings.metrics, () => metrics.text(), logger, lifecycle);
  }
  const starting = startWorkers(settings.workers, logger);
  process.on("SIGHUP", () => void starting.then((workers) => workers.roll()));
  const workers = await starting;
  lifecycle.onEnd(() => workers.stop());
}

async function serve(settings: Settings, logger: Logger, lifecycle: Lifecycle): Promise<void> {
  const metrics = settings.metrics && createMetrics();
  if (metrics && cluster.isWorker) lifecycle.onEnd(metrics.offerToMain());
  else if (metrics) await serveMetrics(settings.metrics, () => metrics.text(), logger, lifecycle);
  const shop = createTeaShop(settings, logger, metrics?.meter);
  lifecycle.onEnd(() => shop.close());
  await ensureFirstAdministrator(shop, settings, logger);

  const server = await startServer(shop.handler, settings.server, {
    idle: settings.http.keepAliveTimeout * 1000,
  });
  lifecycle.onEnd(async () => {
    shop.startDraining();
    logger.info("draining");
    await server.drain();
  });
  if (settings.webhooks.dispatch) shop.startDispatching();
  logger.info({ address: server.address, pid: process.pid }, "listening");
}

async function ensureFirstAdministrator(
  { services }: TeaShop,
  { firstAdmin }: Settings,
  logger: Logger,
): Promise<void> {
  if (!firstAdmin) return;
  const isNew = await inWriteContext(commandContext("start"), () =>
    services.accounts.ensureFirst(firstAdmin),
  );
  if (isNew) logger.info({ email: firstAdmin.email }, "created the first administrator");
}

// On Node 20, a burst of first requests can make V8 allocate all headers in the old generation from then on, where only
// a major collection frees them. Node 24 does not, and a flag that is set here would void its compile cache.
if (process.version.startsWith("v20.")) setFlagsFromString("--no-allocation-site-pretenuring");

// The service goes on if its output can't be written any more, for example because the disk is full.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

runProcess({ start, report: reportFailure, signals: ["SIGINT", "SIGTERM"] });
