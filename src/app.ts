import "reflect-metadata";
import express, { type Express } from "express";
import type { Logger } from "pino";
import type { Settings } from "./config/settings";
import { adminFileRoutes } from "./admin-files";
import { migrationCheck } from "./database/migrations/files";
import {
  adminRoutes,
  browserToExplorer,
  explorerRoutes,
  homePage,
  openApiFile,
  referenceRoutes,
} from "./explorer";
import { labelled } from "./http/request/request-context";
import { limitFields, repairPath, requireWellFormed } from "./http/request/well-formed";
import { allowOrigins, noStore, securityHeaders } from "./http/answer/headers";
import { ProxyWatch } from "./http/request/client-address";
import { graphqlRoutes } from "./graphql";
import { unmeasured, type Meter } from "./vocabulary/meter";
import { healthRoutes } from "./observability/health/health";
import { requestMeter } from "./observability/metrics/request-meter";
import { requestLog } from "./observability/log/request-log";
import { addRestRoutes } from "./rest";
import { errorHandler, notFound } from "./rest/errors";
import { parseQuery } from "./rest/parameters";
import { createServices, type Services } from "./services";
import { startDispatching, type Dispatching } from "./wiring/dispatching";
import { startRetentions } from "./services/record/retention";
import { openShopDatabase } from "./wiring/shop-database";

/** One shop: its services on one pool, and the application that serves them. Several can live in one process. */
export interface TeaShop {
  /** The Express application: the APIs and the operational routes. */
  readonly handler: Express;
  readonly services: Services;
  /** Sends webhooks from now on, until {@link TeaShop.startDraining} or {@link TeaShop.close}. */
  startDispatching(): void;
  /** Makes `/health/ready` answer 503 from now on, so that no new traffic is sent here, and begins no more webhooks. */
  startDraining(): void;
  /** Closes the database pool and ends all threads, in bounded time. */
  close(): Promise<void>;
}

/** Puts a shop together. Nothing is connected until the first statement. Without a meter, nothing is counted. */
export function createTeaShop(settings: Settings, logger: Logger, meter?: Meter): TeaShop {
  const database = openShopDatabase(settings, logger, meter);
  const { sequelize, replicas, report, failed } = database;
  const reports = { report, meter: meter ?? unmeasured };
  const services = createServices(sequelize, settings, meter, replicas);
  const retentions = startRetentions(sequelize, settings, logger, failed);
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
  handler.use("/graphql", graphqlRoutes(services, settings, logger, reports));
  addRestRoutes(handler, services, settings);
  // After the shop's routes, so that requests to the shop don't have to pass these.
  handler.get("/", labelled("GET /"), limitFields, homePage({ hasPages: settings.explorer }));
  handler.get("/openapi.json", labelled("GET /openapi.json"), openApiFile());
  if (settings.explorer) {
    handler.use("/docs", referenceRoutes(labelled("GET /docs")));
    handler.use("/admin", adminFileRoutes(services, reports));
    handler.use("/admin", adminRoutes(labelled("GET /admin")));
  }
  handler.use(notFound);
  handler.use(errorHandler(reports));

  let dispatching: Dispatching | undefined;

  return {
    handler,
    services,
    startDispatching: () => {
      dispatching ??= startDispatching(services, settings.webhooks, {
        ...{ logger, failed, meter: reports.meter },
      });
    },
    startDraining: () => {
      draining = true;
      void dispatching?.drain();
    },
    close: async () => {
      await dispatching?.drain();
      await Promise.all([
        ...retentions.map((each) => each.close()),
        services.close(),
        database.close(),
      ]);
    },
  };
}
