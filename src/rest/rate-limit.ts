import type { RequestHandler, Response } from "express";
import type { Quota } from "../vocabulary/errors";
import { addressOf } from "../http/request/client-address";
import type { RateLimit } from "../services/limits/rate-limit";

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
