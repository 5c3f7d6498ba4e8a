import type { Logger } from "pino";
import type { Settings } from "../config/settings";
import { assertReachable } from "../database/checks/reachable";
import { connect } from "../database/connection/pool";
import { isLoss, isUnavailable } from "../database/statements/failures";
import { sequenceShares } from "../database/statements/sequence-shares";
import type { FailureReport } from "../http/answer/failure-report";
import { DatabaseWatch } from "../observability/health/database-watch";
import { failureLog } from "../observability/log/failure-log";
import { slowLog } from "../observability/log/slow-log";
import type { ReplicaPools } from "../services";
import { webhookNumbers } from "../services/events/webhook-numbers";
import { DomainError } from "../vocabulary/errors";
import type { Meter } from "../vocabulary/meter";

/** The pool of a process, and what is logged and counted of it. */
export interface ShopDatabase {
  readonly sequelize: ReturnType<typeof connect>;
  readonly replicas: ReplicaPools;
  /** Logs what went wrong with a request. */
  readonly report: FailureReport;
  /** Logs what went wrong with work in the background. */
  readonly failed: (error: unknown) => void;
  /** Closes the pool in bounded time. */
  close(): Promise<void>;
}

/** Opens a pool, which connects at the first statement. Without a meter, nothing is counted. */
export function openShopDatabase(settings: Settings, logger: Logger, meter?: Meter): ShopDatabase {
  const { url } = settings.database;
  const slow = slowLog(logger, settings.slowQuery);
  const sequelize = connect(settings.database, { slow, meter });
  const { replicaUrls } = settings.database;
  const databases = replicaUrls.map((each) =>
    connect({ ...settings.database, url: each }, { slow }),
  );
  const inUse = (replica: number, isInUse: boolean): void => {
    const { host } = new URL(replicaUrls[replica] ?? url);
    if (isInUse) logger.info({ replica: host }, "reading from a replica");
    else logger.warn({ replica: host }, "left out a replica, which does not answer");
  };
  meter?.watchSequences(() => sequenceShares(url));
  meter?.watchWebhooks(() => webhookNumbers(url));
  const watch = new DatabaseWatch(logger, { connect: () => assertReachable(url), isLoss });
  const report = failureLog(logger, watch);
  return {
    sequelize,
    replicas: { databases, report: inUse },
    report,
    failed: (error) => {
      // Of a pool that is busy, or closed for now, those who wait for it tell.
      if (error instanceof DomainError) return;
      report(error, { status: isUnavailable(error) ? 503 : 500 });
    },
    close: async () => {
      const pools = [sequelize, ...databases];
      await Promise.all([...pools.map((each) => each.close()), watch.close()]);
    },
  };
}
