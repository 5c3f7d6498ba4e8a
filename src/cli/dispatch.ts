import { productionSettings } from "../config";
import { createMetrics } from "../observability/metrics";
import { runProcess, type Lifecycle } from "../process/lifecycle";
import { createServices } from "../services";
import { outsideWork } from "../vocabulary/current-work";
import { startDispatching } from "../wiring/dispatching";
import { assertUsable, productionLogger, reportFailure, serveMetrics } from "../wiring/production";
import { openShopDatabase } from "../wiring/shop-database";
import type { Io } from "./io";
import { unmeasured } from "../vocabulary/meter";

/** Milliseconds; nothing depends on them. */
const SOME_TIME = 60_000;

/** Sends webhooks until a signal ends the process. Never resolves. */
export const dispatch = (io: Io): Promise<never> =>
  outsideWork(
    () =>
      new Promise(() => {
        runProcess({
          start: (lifecycle) => start(io, lifecycle),
          report: reportFailure,
          signals: ["SIGINT", "SIGTERM", "SIGHUP"],
        });
      }),
  );

async function start(
  { environment, fileFaults }: Pick<Io, "environment" | "fileFaults">,
  lifecycle: Lifecycle,
): Promise<void> {
  const settings = productionSettings(environment, fileFaults);
  const logger = productionLogger(settings);
  logger.info({ ...settings.release, node: process.version }, "starting");
  await assertUsable(settings, logger);

  // While the database is away, there is no connection that would keep Node from ending.
  const awake = setInterval(() => undefined, SOME_TIME);
  lifecycle.onEnd(() => clearInterval(awake));
  const metrics = settings.metrics && createMetrics();
  if (metrics) await serveMetrics(settings.metrics, () => metrics.text(), logger, lifecycle);
  const database = openShopDatabase(settings, logger, metrics?.meter);
  const services = createServices(database.sequelize, settings, metrics?.meter);
  lifecycle.onEnd(async () => {
    await Promise.all([services.close(), database.close()]);
  });
  const dispatching = startDispatching(services, settings.webhooks, {
    ...{ logger, failed: database.failed, meter: metrics?.meter ?? unmeasured },
  });
  lifecycle.onEnd(async () => {
    logger.info("draining");
    await dispatching.drain();
  });
  logger.info({ pid: process.pid }, "dispatching");
}
