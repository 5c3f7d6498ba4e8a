import {
  Authorized,
  Mutation as MutationField,
  Query as QueryField,
  UseMiddleware,
  type MiddlewareFn,
} from "type-graphql";
import {
  ADMIN,
  everyone,
  permissions,
  type Access,
  type Operation,
  type Role,
} from "../../../services/operations";
import type { Context } from "../../context";

type RootField = typeof QueryField | typeof MutationField;

/** How descriptions name the callers that have a role. */
const callers: Record<Role, string> = { [ADMIN]: "administrators" };

/**
 * Makes a method an operation of the schema. The table of permissions says, by the method's name, who may
 * call it, and the description repeats it. A name that is not in the table does not compile.
 */
const operationOf =
  (RootField: RootField) =>
  (
    returns: Parameters<RootField>[0],
    description: string,
    options: { readonly nullable?: true } = {},
  ) =>
  (prototype: object, operation: Operation, method: PropertyDescriptor): void => {
    const access = permissions[operation];
    const described = { ...options, description: description + audienceOf(access) };
    RootField(returns, described)(prototype, operation, method);
    if (access !== everyone) Authorized(access)(prototype, operation, method);
    if (RootField === QueryField) UseMiddleware(inTurn)(prototype, operation, method);
  };

/** Makes reads wait for their turn. Loaders wait themselves, and mutations run one after another. */
const inTurn: MiddlewareFn<Context> = ({ context }, next) => context.turns.run(next);

function audienceOf(access: Access): string {
  if (access === everyone) return "";
  const names = access.map((role) => callers[role]).join(" and ");
  return ` For ${names || "every holder of a valid token"}.`;
}

/** An operation that reads: a field of Query. */
export const Query = operationOf(QueryField);

/** An operation that changes something: a field of Mutation. */
export const Mutation = operationOf(MutationField);
