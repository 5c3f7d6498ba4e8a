import { AsyncLocalStorage } from "node:async_hooks";
import type { Trace } from "./traceparent";

/** What every line of the log says of the request that it belongs to. */
export interface RequestContext extends Partial<Trace> {
  readonly id: string;
  /** What the request asks for, as soon as that is known; see {@link nameOperation}. */
  operation?: string;
  /** The id of the administrator whose token was accepted. */
  administrator?: number;
}

const LONGEST_NAME = 100;

const requests = new AsyncLocalStorage<RequestContext>();

/** Calls `work` for a request: all that it starts, however long it takes, belongs to the request. */
export const inRequest = <T>(context: RequestContext, work: () => T): T =>
  requests.run(context, work);

/** Calls `work` for the service itself, not for the request that happened to be the occasion. */
export const outsideRequests = <T>(work: () => T): T => requests.exit(work);

/** The request that the caller works for. */
export const currentRequest = (): RequestContext | undefined => requests.getStore();

/** Names the operation of the current request. Clients may choose the name, so only its beginning is kept. */
export function nameOperation(name: string): void {
  const request = requests.getStore();
  if (request) request.operation = name.slice(0, LONGEST_NAME);
}

/** Names the administrator who sent the current request. */
export function nameAdministrator(id: number): void {
  const request = requests.getStore();
  if (request) request.administrator = id;
}
