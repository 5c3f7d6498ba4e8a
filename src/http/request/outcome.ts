import { currentRequest, type RequestContext } from "./request-context";

/** How a request that failed was answered, for the line of the log that ends it. */
export interface Outcome {
  /** GraphQL's code of the first error; undefined at REST. */
  readonly code: string | undefined;
  /** Why it was refused; undefined for a fault of the service. May quote what a client sent, of any length. */
  readonly reason: string | undefined;
  /** Whether a status of an error says that the client is to blame: 401, 403 or 429. */
  readonly isTurnedAway: boolean;
}

const TURNED_AWAY: readonly number[] = [401, 403, 429];

const outcomes = new WeakMap<RequestContext, Outcome>();

/** Notes an error of the current request, and its status at REST. Of several errors, the first one counts. */
export function noteError(status: number, { code, reason }: Omit<Outcome, "isTurnedAway">): void {
  const request = currentRequest();
  if (!request) return;
  const first = outcomes.get(request);
  const isTurnedAway = Boolean(first?.isTurnedAway) || TURNED_AWAY.includes(status);
  outcomes.set(request, { ...(first ?? { code, reason }), isTurnedAway });
}

/** Undefined for a request without an error. */
export const outcomeOf = (request: RequestContext): Outcome | undefined => outcomes.get(request);
