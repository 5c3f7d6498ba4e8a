import type { RequestHandler } from "express";
import { bearerToken } from "../http/bearer-token";
import type { Authentication } from "../services/administrators/authentication";
import { everyone, permissions, type Operation } from "../services/permissions";

/** The handler that comes first on every route: it admits callers to one operation. */
export interface OperationGuard extends RequestHandler {
  readonly operation: Operation;
}

/** The guard of an operation. */
export type GuardOf = (operation: Operation) => OperationGuard;

/** Who may call each operation. The roles may be others than the shop has. */
type Permissions = Readonly<Record<Operation, typeof everyone | readonly string[]>>;

/** Guards that read the `Authorization` header (RFC 6750 section 2.1), but for operations of everyone. */
export const guardedBy =
  (authentication: Authentication, access: Permissions = permissions): GuardOf =>
  (operation) =>
    Object.assign(admitting(authentication, access[operation]), { operation });

const admitting =
  (authentication: Authentication, access: Permissions[Operation]): RequestHandler =>
  async (request, _response, next) => {
    if (access !== everyone) await authentication.authorize(bearerToken(request), access);
    next();
  };
