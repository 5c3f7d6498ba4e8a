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
import type { ClaimedDelivery } from "./services/events/delivery-queue";
import { deleteOldDeliveries, deleteOldEvents } from "./services/events/event-retention";
import { publicId } from "./services/events/events";
import { webhookNumbers } from "./services/events/webhook-numbers";
import { webhookBody } from "./webhooks/body";
import { Dispatcher } from "./webhooks/dispatcher";
import { WebhookSender, type WebhookRequest } from "./webhooks/sender";
import { signatureHeaders } from "./webhooks/signature";
import { deleteOldEntries } from "./services/record/audit-retention";
import { PAUSES, Retention } from "./services/record/retention";

/** One shop: its services on one pool, and the application that serves them. Several can live in one process. */
export interface TeaShop {
  /** The Express application: the doors and the operational routes. */
  readonly handler: Express;
  readonly services: Services;
  /** Sends webhooks from now on, until the end of {@link TeaShop.close}. */
  startDispatching(): void;
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
  meter?.watchWebhooks(() => webhookNumbers(settings.database.url));
  const watch = new DatabaseWatch(logger, {
    connect: () => assertReachable(settings.database.url),
    isLoss,
  });
  const report = failureLog(logger, watch);
  const reports = { report, meter: meter ?? unmeasured };
  const services = createServices(sequelize, settings, meter);
  const failed = (error: unknown): void => {
    // Of a pool that is busy, or closed for now, those who wait for it tell.
    if (error instanceof DomainError) return;
    report(error, { status: isUnavailable(error) ? 503 : 500 });
  };
  const retentions = retentionsOf(sequelize, settings, logger, failed);
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

  const sender = new WebhookSender(settings.webhooks);
  let dispatcher: Dispatcher<ClaimedDelivery> | undefined;

  return {
    handler,
    services,
    startDispatching: () => {
      dispatcher ??= new Dispatcher(services.deliveryQueue, sender, requests(services), {
        ended: (end) => meter?.webhookEnded(end),
        disabled: (endpoint) => logger.error(endpoint, "disabled an endpoint of webhooks"),
        failed,
      });
    },
    startDraining: () => {
      draining = true;
    },
    close: async () => {
      await dispatcher?.drain();
      await Promise.all([
        sender.close(),
        ...retentions.map((each) => each.close()),
        services.close(),
        sequelize.close(),
        watch.close(),
      ]);
    },
  };
}

/** The request that sends a delivery; a fault if no key opens the secret of its endpoint. */
const requests =
  ({ endpoints, orders }: Services) =>
  (delivery: ClaimedDelivery): WebhookRequest | { readonly fault: string } => {
    const { endpointId, url, secret, previousSecret, includeLookup } = delivery;
    const sealed = previousSecret === null ? [secret] : [secret, previousSecret];
    const secrets = endpoints.secretsOf(sealed);
    if (!secrets) return { fault: "DATA_SECRET does not open the secret of this endpoint" };
    const { type, at, data, subjectId } = delivery;
    const isPlaced = includeLookup && type === "order.placed" && subjectId !== null;
    const createdAt = new Date(String(data["createdAt"]));
    const lookup = isPlaced ? { lookup: orders.lookupOf({ id: subjectId, createdAt }) } : {};
    const body = webhookBody({ type, at, data: { ...data, ...lookup } });
    const id = publicId({ id: delivery.eventId, at });
    return {
      endpointId,
      url,
      body,
      headers: signatureHeaders(secrets, { id, timestamp: new Date(), body }),
    };
  };

/** What deletes entries of the audit log, if they are not kept for ever, events, and deliveries of webhooks. */
function retentionsOf(
  sequelize: Sequelize,
  { auditRetention, eventRetention }: Settings,
  logger: Logger,
  failed: (error: unknown) => void,
): Retention[] {
  const entries =
    auditRetention === undefined
      ? []
      : new Retention(() => deleteOldEntries(sequelize, auditRetention), {
          deleted: (entries) => logger.info({ entries }, "deleted old entries of the audit log"),
          failed,
        });
  const later = { ...PAUSES, first: 60_000 }; // a start has something better to do
  const events = new Retention(
    () => deleteOldEvents(sequelize, eventRetention),
    { deleted: (events) => logger.info({ events }, "deleted old events"), failed },
    later,
  );
  const deliveries = new Retention(
    () => deleteOldDeliveries(sequelize),
    { deleted: (deliveries) => logger.info({ deliveries }, "deleted old deliveries"), failed },
    later,
  );
  return [entries, events, deliveries].flat();
}
