import type { Command } from "commander";
import type { Io } from "./io";
import { productionSettings } from "../config";
import { logStart } from "../observability/log/library-warnings";
import { createMetrics } from "../observability/metrics";
import { runProcess, type Lifecycle } from "../process/lifecycle";
import { createServices } from "../services";
import { outsideWork } from "../vocabulary/current-work";
import { startDispatching } from "../wiring/dispatching";
import { assertUsable, productionLogger, reportFailure, serveMetrics } from "../wiring/production";
import { openShopDatabase } from "../wiring/shop-database";
import { unmeasured } from "../vocabulary/meter";

const help = `
For shops whose webhooks are not to be sent by the processes that answer requests: these get DISPATCH=off, and the
settings of this command are theirs, with DATABASE_URL and JWT_SECRET. Any number of dispatchers may run, beside
processes without DISPATCH=off, too. It logs as the service does, serves metrics where METRICS says, and does not
start where the service would not.

On SIGTERM and SIGINT, it begins no more webhooks, waits for receivers for at most 5 s, stores what has become of
theirs, and gives the others back. It can be killed as well: another dispatcher sends what it was sending a minute
later.

Example:
  npm run tea -- dispatch`;

export function addDispatchCommand(program: Command, io: Io): void {
  program
    .command("dispatch")
    .description("send webhooks until SIGTERM, for a service with DISPATCH=off")
    .addHelpText("after", help)
    .action(() => dispatch(io));
}

/** Milliseconds; nothing depends on them. */
const SOME_TIME = 60_000;

/** Sends webhooks until a signal ends the process. Never resolves. */
const dispatch = (io: Io): Promise<never> =>
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
  { environment, fileIssues }: Pick<Io, "environment" | "fileIssues">,
  lifecycle: Lifecycle,
): Promise<void> {
  const settings = productionSettings(environment, fileIssues);
  const logger = productionLogger(settings);
  logStart(logger, settings);
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
