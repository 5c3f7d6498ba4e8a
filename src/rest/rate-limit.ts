import type { RequestHandler, Response } from "express";
import type { Quota } from "../errors";
import { addressOf } from "../http/client-address";
import type { RateLimit } from "../services/limits/rate-limit";

/** Counts every request against the limit of its address, and tells what is left. */
export const limitedBy =
  (limit: RateLimit): RequestHandler =>
  async (request, response, next) => {
    tellQuota(response, await limit.hit(addressOf(request)));
    next();
  };

/**
 * The fields of the IETF draft "RateLimit header fields for HTTP" as of its version 10, and the three
 * that its early versions had, which more clients know.
 */
export function tellQuota(response: Response, quota: Quota | undefined): void {
  if (!quota) return;
  response.set({
    "RateLimit-Policy": `"${quota.name}";q=${quota.limit};w=${quota.seconds}`,
    RateLimit: `"${quota.name}";r=${quota.remaining};t=${quota.reset}`,
    "RateLimit-Limit": String(quota.limit),
    "RateLimit-Remaining": String(quota.remaining),
    "RateLimit-Reset": String(quota.reset),
  });
}
