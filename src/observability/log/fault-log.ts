import type { Logger } from "pino";
import type { FaultReport } from "../../http/answer/fault-report";
import { currentRequest } from "../../http/request/request-context";
import type { DatabaseWatch } from "../health/database-watch";

/** The most failures of one request that are logged. A query for many rows may have one for each row. */
const MOST_FAULTS = 10;

/**
 * Logs failures as errors, each once for a request. Failures because the database is away are logged for debugging
 * only, because {@link DatabaseWatch} logs the cause.
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

/** Tells whether a failure is new for the current request. Several requests may share a statement that failed. */
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
