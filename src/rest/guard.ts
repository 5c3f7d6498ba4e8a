import type { RequestHandler } from "express";
import { bearerToken } from "../http/bearer-token";
import type { Authentication } from "../services/administrators/authentication";

/** Admits callers whose role is any of `roles`; without roles, any valid token. */
export type RequireRole = (...roles: string[]) => RequestHandler;

/** Guards that read the `Authorization` header (RFC 6750 section 2.1). */
export const guardedBy =
  (authentication: Authentication): RequireRole =>
  (...roles) =>
  async (request, response, next) => {
    response.locals.principal = await authentication.authorize(bearerToken(request), roles);
    next();
  };
