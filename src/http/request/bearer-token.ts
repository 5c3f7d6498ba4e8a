import type { Request } from "express";

const SCHEME = "bearer";

/** The token in `Authorization: Bearer <token>`; the scheme may be in any letter case (RFC 6750 section 2.1). */
export const bearerToken = (request: Request): string | undefined =>
  tokenIn(request.headers.authorization ?? "");

function tokenIn(credentials: string): string | undefined {
  if (credentials.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  let start = SCHEME.length;
  while (credentials[start] === " ") start += 1;
  return start > SCHEME.length && start < credentials.length ? credentials.slice(start) : undefined;
}
