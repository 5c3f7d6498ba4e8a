import type { Logger } from "pino";
import type { Settings } from "../config/settings";
import { assertReachable } from "../database/checks/database-check";
import { connect } from "../database/connection/pool";
import { isLoss, isUnavailable, mayBeLockedOut } from "../database/statements/failures";
import { lockHolderWatch } from "../database/statements/lock-holders";
import { sequenceShares } from "../database/statements/sequence-shares";
import type { FailureReport } from "../http/answer/failure-report";
import { DatabaseWatch } from "../observability/health/database-watch";
import { failureLog } from "../observability/log/failure-log";
import { slowLog } from "../observability/log/statement-text";
import type { ReplicaPools, ReplicaState } from "../services";
import { webhookNumbers } from "../services/events/webhook-numbers";
import { DomainError } from "../vocabulary/errors";
import type { Meter } from "../vocabulary/meter";
import { placeOf } from "../vocabulary/text/connection-string";

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

const REASONS: Record<Exclude<ReplicaState, "used">, string> = {
  away: "it does not answer in time",
  primary: "it follows no primary",
  foreign: "it is of another database",
};

/** Opens a pool, which connects at the first statement. Without a meter, nothing is counted. */
export function openShopDatabase(settings: Settings, logger: Logger, meter?: Meter): ShopDatabase {
  const { url } = settings.database;
  const slow = slowLog(logger, settings.slowQuery);
  const sequelize = connect(settings.database, { slow, meter });
  const { replicaUrls } = settings.database;
  const states = new Map<string, ReplicaState | undefined>();
  const pools = replicaUrls.map((each) => {
    const name = placeOf(each).hosts;
    states.set(name, undefined);
    return { name, database: connect({ ...settings.database, url: each }, { slow }) };
  });
  const stateOf = (replica: string, state: ReplicaState): void => {
    states.set(replica, state);
    if (state === "used") logger.info({ replica }, "reading from a replica");
    else logger.warn({ replica, reason: REASONS[state] }, "left out a replica");
  };
  if (pools.length > 0) meter?.watchReplicas(() => states);
  meter?.watchSequences(() => sequenceShares(url));
  meter?.watchWebhooks(() => webhookNumbers(url));
  const watch = new DatabaseWatch(logger, { connect: () => assertReachable(url), isLoss });
  const lockHolders = lockHolderWatch(url);
  const report = failureLog(logger, watch, (failure) =>
    mayBeLockedOut(failure) ? lockHolders() : undefined,
  );
  return {
    sequelize,
    replicas: { pools, report: stateOf },
    report,
    failed: (error) => {
      // A busy or closed pool is reported by the requests that wait for it.
      if (error instanceof DomainError) return;
      report(error, { status: isUnavailable(error) ? 503 : 500 });
    },
    close: async () => {
      const open = [sequelize, ...pools.map(({ database }) => database)];
      await Promise.all([...open.map((each) => each.close()), watch.close()]);
    },
  };
}
