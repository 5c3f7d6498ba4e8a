import { currentWork, inWork, type WriteContext } from "../../vocabulary/current-work";
import type { Trace } from "./request-headers";
import type { RequestHandler, Response } from "express";

/** What every log line says about its request. */
export interface RequestContext extends Partial<Trace> {
  readonly id: string;
  /** The name of the operation, as soon as it is known; see {@link nameOperation}. */
  operation?: string;
  /** The id of the administrator whose token was accepted. */
  administrator?: number;
}

const LONGEST_NAME = 100;

/** Calls `work` for a request: everything that `work` starts belongs to the request, however long it takes. */
export const inRequest = <T>(context: RequestContext, work: () => T): T => inWork(context, work);

/** The request that the caller works for. */
export function currentRequest(): RequestContext | undefined {
  const work = currentWork();
  return work && "id" in work ? (work as RequestContext) : undefined;
}

/** Names the operation of the current request. Clients may choose the name, so it is cut after 100 characters. */
export function nameOperation(name: string): void {
  const request = currentRequest();
  if (request) request.operation = name.slice(0, LONGEST_NAME);
}

/** The e-mail addresses of the administrators who sent the requests. The log leaves them out. */
const emails = new WeakMap<RequestContext, string>();

/** Names the administrator who sent the current request. */
export function nameAdministrator(id: number, email: string): void {
  const request = currentRequest();
  if (!request) return;
  request.administrator = id;
  emails.set(request, email);
}

/**
 * The write context of an operation of the current request. That of a public operation has no actor: it is a
 * customer's, even if an administrator sends it.
 */
export function writeContextOfRequest({
  door,
  operation,
  address,
  isPublic,
}: Pick<WriteContext, "door" | "operation" | "address"> & {
  readonly isPublic: boolean;
}): WriteContext {
  const request = currentRequest();
  const actor = request && !isPublic ? emails.get(request) : undefined;
  if (!isPublic && actor === undefined) throw new Error(`Nobody is known to do ${operation}`);
  return { door, operation, actor, address, requestId: request?.id };
}

/** How a failed request was answered, for the last log line of the request. */
export interface Outcome {
  /** GraphQL's code of the first error; undefined at REST. */
  readonly code: string | undefined;
  /** Why it was refused; undefined for an internal error. May quote what a client sent, of any length. */
  readonly reason: string | undefined;
  /** Whether one of its errors turns the client away: 401, 403 or 429. */
  readonly isTurnedAway: boolean;
}

const TURNED_AWAY: readonly number[] = [401, 403, 429];

const outcomes = new WeakMap<RequestContext, Outcome>();

/** Records an error of the current request, and its status at REST. Of several errors, the first one counts. */
export function recordError(status: number, { code, reason }: Omit<Outcome, "isTurnedAway">): void {
  const request = currentRequest();
  if (!request) return;
  const first = outcomes.get(request);
  const isTurnedAway = Boolean(first?.isTurnedAway) || TURNED_AWAY.includes(status);
  outcomes.set(request, { ...(first ?? { code, reason }), isTurnedAway });
}

/** The outcome of a request that failed; undefined for a request without an error. */
export const outcomeOf = (request: RequestContext): Outcome | undefined => outcomes.get(request);

/** The labels by which metrics count an answer. All names are the service's own, never a client's. */
export interface MetricLabels {
  readonly door: string;
  readonly operation: string;
  /** By default the status. */
  readonly code?: string;
}

/** Labels the answer to a request; a later label replaces it. */
export function labelAnswer(response: Response, labels: MetricLabels): void {
  response.locals.metricLabels = labels;
}

/** The labels of an answer; undefined if the request came to no route. */
export const metricLabelsOf = (response: Response): MetricLabels | undefined =>
  response.locals.metricLabels as MetricLabels | undefined;

/** Labels the answers of a route that belongs to no API, such as `GET /health/live`. */
export function labelled(operation: string): RequestHandler {
  const labels = { door: "other", operation };
  return (_request, response, next) => {
    labelAnswer(response, labels);
    next();
  };
}
