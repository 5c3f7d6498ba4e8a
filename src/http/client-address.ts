import type { Request } from "express";

/**
 * The client's IP address, as far as the trusted proxies tell; IPv4 in its own notation also where the
 * socket speaks IPv6.
 */
export const addressOf = (request: Request): string =>
  (request.ip ?? "unknown").replace(/^::ffff:(?=[0-9.]+$)/, "");
