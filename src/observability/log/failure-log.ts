import type { Logger } from "pino";
import type { FailureReport } from "../../http/answer/failure-report";
import { currentRequest } from "../../http/request/request-context";
import type { DatabaseWatch } from "../health/database-watch";

/** The most failures of one request that are logged. A query for many rows may have one for each row. */
const MOST_FAILURES = 10;

/** The sessions whose locks may explain a failure; undefined if it has another cause. */
export type LockHolders = (failure: unknown) => Promise<readonly object[]> | undefined;

/**
 * Logs failures as errors, each once for a request. Failures because the database is away are logged for debugging
 * only, because {@link DatabaseWatch} logs the cause.
 */
export function failureLog(
  logger: Logger,
  watch: DatabaseWatch,
  holdersFor: LockHolders,
): FailureReport {
  const isNew = onceForEachRequest();
  return (failure, { status, ...where }) => {
    if (!isNew(failure)) return;
    const line = { ...where, err: failure };
    if (status === 500) {
      logger.error(line, "unexpected failure");
      return;
    }
    void watch.explains(failure).then(async (isExplained) => {
      const looking = isExplained ? undefined : holdersFor(failure);
      const lockHolders = looking && (await looking);
      logger[isExplained ? "debug" : "error"](
        lockHolders?.length ? { ...line, lockHolders } : line,
        "the database did not answer",
      );
    });
  };
}

/** Tells whether a failure is new for the current request. Several requests may share a statement that failed. */
function onceForEachRequest(): (failure: unknown) => boolean {
  const logged = new WeakMap<object, Set<unknown>>();
  return (failure) => {
    const request = currentRequest();
    if (!request) return true;
    const known = logged.get(request) ?? new Set();
    logged.set(request, known);
    if (known.has(failure) || known.size >= MOST_FAILURES) return false;
    known.add(failure);
    return true;
  };
}
