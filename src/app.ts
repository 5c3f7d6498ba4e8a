import "reflect-metadata";
import express, { type Express } from "express";
import type { Logger } from "pino";
import type { Settings } from "./config/settings";
import type { Sequelize } from "sequelize-typescript";
import { connect } from "./database/connection/pool";
import { isLoss, isUnavailable } from "./database/statements/failures";
import { sequenceShares } from "./database/statements/sequence-shares";
import { migrationCheck } from "./database/migrations/applied";
import { assertReachable } from "./database/checks/reachable";
import {
  browserToExplorer,
  explorerRoutes,
  homePage,
  openApiFile,
  referenceRoutes,
} from "./explorer";
import { labelled } from "./http/request/request-context";
import { limitFields, repairPath, requireWellFormed } from "./http/request/well-formed";
import { allowOrigins, noStore, securityHeaders } from "./http/answer/headers";
import { ProxyWatch } from "./http/request/proxy-watch";
import { graphqlRoutes } from "./graphql";
import type { FailureReport } from "./http/answer/failure-report";
import { DomainError } from "./vocabulary/errors";
import { unmeasured, type Meter } from "./vocabulary/meter";
import { DatabaseWatch } from "./observability/health/database-watch";
import { failureLog } from "./observability/log/failure-log";
import { healthRoutes } from "./observability/health/health";
import { requestMeter } from "./observability/metrics/request-meter";
import { requestLog } from "./observability/log/request-log";
import { slowLog } from "./observability/log/slow-log";
import { restRoutes } from "./rest";
import { errorHandler, notFound } from "./rest/errors";
import { parseQuery } from "./rest/parameters";
import { createServices, type Services } from "./services";
import { deleteOldEvents } from "./services/events/event-retention";
import { deleteOldEntries } from "./services/record/audit-retention";
import { PAUSES, Retention } from "./services/record/retention";

/** One shop: its services on one pool, and the application that serves them. Several can live in one process. */
export interface TeaShop {
  /** The Express application: the doors and the operational routes. */
  readonly handler: Express;
  readonly services: Services;
  /** Makes `/health/ready` answer 503 from now on, so that no new traffic is sent here. */
  startDraining(): void;
  /** Closes the database pool and ends all threads, in bounded time. */
  close(): Promise<void>;
}

/** Puts a shop together. Nothing is connected until the first statement. Without a meter, nothing is counted. */
export function createTeaShop(settings: Settings, logger: Logger, meter?: Meter): TeaShop {
  const slow = slowLog(logger, settings.slowQuery);
  const sequelize = connect(settings.database, { slow, meter });
  meter?.watchSequences(() => sequenceShares(settings.database.url));
  const watch = new DatabaseWatch(logger, {
    connect: () => assertReachable(settings.database.url),
    isLoss,
  });
  const report = failureLog(logger, watch);
  const reports = { report, meter: meter ?? unmeasured };
  const services = createServices(sequelize, settings, meter);
  const retentions = retentionsOf(sequelize, settings, logger, report);
  let draining = false;

  const handler = express();
  handler.disable("x-powered-by");
  handler.disable("etag");
  handler.set("query parser", parseQuery);
  handler.set("trust proxy", settings.http.trustProxy);
  const origins = allowOrigins(settings.http.corsOrigins, settings.http.corsHeaders);
  handler.use(
    ...(meter ? [requestMeter(meter)] : []),
    requestLog(logger, settings.log),
    securityHeaders,
    origins,
    requireWellFormed,
    repairPath,
  );
  handler.options(/^/, labelled("OPTIONS *"), notFound); // otherwise Express itself answers OPTIONS for each path
  handler.use(["/auth", "/orders", "/graphql"], noStore);
  const isMigrated = migrationCheck(sequelize);
  const { release } = settings;
  handler.use("/health", healthRoutes({ release, isMigrated, isDraining: () => draining, report }));
  // Probes don't come through the proxies.
  const proxies = new ProxyWatch(settings.http.trustProxy, (message) => logger.warn(message));
  meter?.watchProxies(() => proxies.isUnfit);
  handler.use(proxies.handler);
  if (settings.explorer) {
    handler.get("/graphql", labelled("GET /graphql"), browserToExplorer);
    handler.use("/explorer", explorerRoutes(labelled("GET /explorer")));
  }
  const refuseOverload = () => sequelize.gate.refuseIfFull();
  handler.use("/graphql", graphqlRoutes(services, refuseOverload, settings, logger, reports));
  handler.use(restRoutes(services, refuseOverload, settings));
  // After the shop's routes, so that requests to the shop don't have to pass these.
  handler.get("/", labelled("GET /"), limitFields, homePage({ hasPages: settings.explorer }));
  handler.get("/openapi.json", labelled("GET /openapi.json"), openApiFile());
  if (settings.explorer) handler.use("/docs", referenceRoutes(labelled("GET /docs")));
  handler.use(notFound);
  handler.use(errorHandler(reports));

  return {
    handler,
    services,
    startDraining: () => {
      draining = true;
    },
    close: async () => {
      await Promise.all([
        ...retentions.map((each) => each.close()),
        services.close(),
        sequelize.close(),
        watch.close(),
      ]);
    },
  };
}

/** What deletes entries of the audit log, if they are not kept for ever, and events. */
function retentionsOf(
  sequelize: Sequelize,
  { auditRetention, eventRetention }: Settings,
  logger: Logger,
  report: FailureReport,
): Retention[] {
  const failed = (error: unknown): void => {
    // Of a pool that is busy, or closed for now, those who wait for it tell.
    if (error instanceof DomainError) return;
    report(error, { status: isUnavailable(error) ? 503 : 500 });
  };
  const entries =
    auditRetention === undefined
      ? []
      : new Retention(() => deleteOldEntries(sequelize, auditRetention), {
          deleted: (entries) => logger.info({ entries }, "deleted old entries of the audit log"),
          failed,
        });
  const events = new Retention(
    () => deleteOldEvents(sequelize, eventRetention),
    { deleted: (events) => logger.info({ events }, "deleted old events"), failed },
    { ...PAUSES, first: 60_000 }, // a start has something better to do
  );
  return [entries, events].flat();
}
