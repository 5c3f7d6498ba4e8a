import type { RequestHandler, Response } from "express";
import {
  labelAnswer,
  nameAdministrator,
  nameOperation,
  originOfRequest,
} from "../http/request/request-context";
import { addressOf } from "../http/request/client-address";
import { bearerToken } from "../http/request/bearer-token";
import type { Services } from "../services";
import { everyone, operations } from "../services/operations";
import { routes, type RestOperation } from "./routes";
import { changingFrom } from "../vocabulary/current-work";
import type { Quota } from "../vocabulary/errors";
import type { RateLimit } from "../services/limits/rate-limit";

/**
 * The first handler of an operation's route: names the operation for log and metrics, refuses it while the
 * service is overloaded, and then checks the token of the `Authorization` header (RFC 6750 section 2.1).
 * Operations that are open to everyone ignore the header. Any string is a role here, so that tests can use
 * other roles.
 */
export function admitting(
  operation: RestOperation,
  {
    authentication,
    gate,
    catalogueCache,
  }: Pick<Services, "authentication" | "gate" | "catalogueCache">,
  access: typeof everyone | readonly string[] = operations[operation].access,
): RequestHandler {
  const labels = { door: "rest", operation: routes[operation] };
  // A read whose answer may be kept needs no place in the queue for a connection.
  const mayWait = !catalogueCache || operations[operation].reads !== "catalogue";
  const admit = (response: Response): void => {
    nameOperation(operation);
    labelAnswer(response, labels);
    if (mayWait) gate.refuseIfFull();
  };
  if (access === everyone) {
    // Most requests come here. A promise for each would make them measurably slower.
    return (_request, response, next) => {
      admit(response);
      next();
    };
  }
  return async (request, response, next) => {
    admit(response);
    const { id, email } = await authentication.authorize(bearerToken(request), access);
    nameAdministrator(id, email);
    next();
  };
}

/** Tells the audit log where the changes of a handler come from. */
export function changing(operation: RestOperation, handler: RequestHandler): RequestHandler {
  const isPublic = operations[operation].access === everyone;
  return (request, response, next) => {
    const call = { door: "REST", operation, address: addressOf(request), isPublic } as const;
    return changingFrom(originOfRequest(call), () => handler(request, response, next));
  };
}

/** Counts every request against the limit of its client address, and answers with the remaining quota. */
export const limitedBy =
  (limit: RateLimit): RequestHandler =>
  async (request, response, next) => {
    setQuotaHeaders(response, await limit.hit(addressOf(request)));
    next();
  };

/**
 * Sets the header fields of the IETF draft "RateLimit header fields for HTTP", version 10, and the three
 * fields of its early versions, which more clients understand.
 */
export function setQuotaHeaders(response: Response, quota: Quota | undefined): void {
  if (!quota) return;
  response.set({
    "RateLimit-Policy": `"${quota.name}";q=${quota.limit};w=${quota.seconds}`,
    RateLimit: `"${quota.name}";r=${quota.remaining};t=${quota.reset}`,
    "RateLimit-Limit": String(quota.limit),
    "RateLimit-Remaining": String(quota.remaining),
    "RateLimit-Reset": String(quota.reset),
  });
}
