import type { Logger } from "pino";
import type { FaultReport } from "../../http/answer/fault-report";
import { currentRequest } from "../../http/request/request-context";
import type { DatabaseWatch } from "../health/database-watch";

/** Faults of one request that are logged; a query for many rows may have one for each of them. */
const MOST_FAULTS = 10;

/**
 * Logs faults as errors, each once for a request. While the database is away, the failures that this
 * causes are for debugging only, because {@link DatabaseWatch} logs why.
 */
export function faultLog(logger: Logger, watch: DatabaseWatch): FaultReport {
  const isNew = onceForEachRequest();
  return (failure, { status, ...where }) => {
    if (!isNew(failure)) return;
    const line = { ...where, err: failure };
    if (status === 500) {
      logger.error(line, "unexpected failure");
      return;
    }
    void watch.explains(failure).then((isExplained) => {
      logger[isExplained ? "debug" : "error"](line, "the database did not answer");
    });
  };
}

/** Whether a failure is to be logged for the current request. Requests may share a statement that failed. */
function onceForEachRequest(): (failure: unknown) => boolean {
  const faults = new WeakMap<object, Set<unknown>>();
  return (failure) => {
    const request = currentRequest();
    if (!request) return true;
    const known = faults.get(request) ?? new Set();
    faults.set(request, known);
    if (known.has(failure) || known.size >= MOST_FAULTS) return false;
    known.add(failure);
    return true;
  };
}
