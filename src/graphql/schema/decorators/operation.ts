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
  operations,
  type Access,
  type Operation,
  type ReadOperation,
  type Role,
} from "../../../services/operations";
import { writeContextOfRequest } from "../../../http/request/request-context";
import { setWriteContext } from "../../../vocabulary/current-work";
import type { Context } from "../../context";

/** How descriptions name the callers that have a role. */
const callers: Record<Role, string> = { [ADMIN]: "administrators" };

/**
 * Makes a method an operation of the schema. The table of operations says, by the method's name, who may call
 * it and which rate limit counts it. The description names the callers. A name that is not in the table does
 * not compile.
 */
const operationOf =
  <Name extends Operation>(RootField: typeof QueryField | typeof MutationField) =>
  (
    returns: Parameters<typeof RootField>[0],
    description: string,
    options: { readonly nullable?: true } = {},
  ) =>
  (prototype: object, operation: Name, method: PropertyDescriptor): void => {
    const { access, limit } = operations[operation];
    const described = { ...options, description: description + audienceOf(access) };
    RootField(returns, described)(prototype, operation, method);
    if (access !== everyone) Authorized(access)(prototype, operation, method);
    if (limit) UseMiddleware(limitedBy(limit))(prototype, operation, method);
    const around = RootField === QueryField ? queued : changing(operation, access);
    UseMiddleware(around)(prototype, operation, method);
  };

/** Makes reads wait for their turn. Loaders do so by themselves, and mutations run one after another anyway. */
const queued: MiddlewareFn<Context> = ({ context }, next) => context.read(next);

/** Sets the write context of a field, and lets what is below the field show its changes. */
const changing =
  (operation: Operation, access: Access): MiddlewareFn<Context> =>
  async ({ context: { address, route, loaders, changed, forgetToken } }, next) => {
    route?.release();
    loaders.forget();
    const isPublic = access === everyone;
    setWriteContext(writeContextOfRequest({ door: "GRAPHQL", operation, address, isPublic }));
    const result: unknown = await next();
    const { changes, isOfAccount } = operations[operation];
    if (isOfAccount) forgetToken();
    if (changes !== undefined) await changed(changes);
    return result;
  };

/** Counts each occurrence of a field for the client's address, also under an alias or with invalid input. */
const limitedBy =
  (limit: keyof Context["limits"]): MiddlewareFn<Context> =>
  async ({ context }, next) => {
    await context.limits[limit].hit(context.address);
    return next() as unknown;
  };

function audienceOf(access: Access): string {
  if (access === everyone) return "";
  const names = access.map((role) => callers[role]).join(" and ");
  return ` For ${names || "every holder of a valid token"}.`;
}

/** An operation that changes nothing: a field of Query. */
export const Query = operationOf<ReadOperation>(QueryField);

/** Any other operation: a field of Mutation. */
export const Mutation = operationOf<Operation>(MutationField);
