import type { RequestHandler } from "express";
import { unavailable } from "../vocabulary/errors";
import { bearerToken } from "../http/request/bearer-token";
import { nameOperation } from "../http/request/request-context";
import type { Authentication } from "../services/administrators/authentication";
import { everyone, permissions, type Operation } from "../services/operations";

/** The first handler of every route. It checks that the caller may call one operation. */
export interface OperationGuard extends RequestHandler {
  readonly operation: Operation;
}

export type GuardOf = (operation: Operation) => OperationGuard;

/** Who may call each operation. Any string is a role here, so that tests can use other roles. */
type Permissions = Readonly<Record<Operation, typeof everyone | readonly string[]>>;

/**
 * Makes guards that refuse requests while the service is overloaded, and then check the token of the
 * `Authorization` header (RFC 6750 section 2.1). Operations that are open to everyone ignore the header.
 */
export const guardedBy =
  (
    authentication: Authentication,
    isOverloaded: (operation: Operation) => boolean,
    access: Permissions = permissions,
  ): GuardOf =>
  (operation) =>
    Object.assign(admitting(authentication, operation, isOverloaded, access[operation]), {
      operation,
    });

function admitting(
  authentication: Authentication,
  operation: Operation,
  isOverloaded: (operation: Operation) => boolean,
  access: Permissions[Operation],
): RequestHandler {
  const admit = (): void => {
    nameOperation(operation);
    if (isOverloaded(operation)) throw unavailable("connections");
  };
  if (access === everyone) {
    // Most requests come here, and a promise for each of them would be seen in the time that they take.
    return (_request, _response, next) => {
      admit();
      next();
    };
  }
  return async (request, _response, next) => {
    admit();
    await authentication.authorize(bearerToken(request), access);
    next();
  };
}
