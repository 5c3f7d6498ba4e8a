import type { Request } from "express";

/** The token of the header `Authorization: Bearer <token>`, the scheme in any letter case (RFC 6750 section 2.1). */
export const bearerToken = (request: Request): string | undefined =>
  /^bearer +(.+)$/i.exec(request.headers.authorization ?? "")?.[1];
