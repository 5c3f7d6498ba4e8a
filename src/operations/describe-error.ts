import { isNativeError } from "node:util/types";
import { messageOf } from "../errors";
import { withoutValues } from "./statement-text";

/** What errors of Sequelize and of the pg client have beside an error's own members. */
interface DatabaseFailure extends Error {
  /** A SQLSTATE, or a code of Node's such as `ECONNREFUSED`. */
  readonly code?: unknown;
  /** The error of the pg client that Sequelize has wrapped. */
  readonly parent?: { readonly code?: unknown };
  /** The statement that failed. */
  readonly sql?: unknown;
}

/**
 * What the log says of an error. These members and no others: those of PostgreSQL also carry values, in its
 * `detail`, `where` and `internalQuery`, and in the parameters of the statement.
 */
export function describeError(error: unknown): unknown {
  if (!isNativeError(error)) return error;
  const { name, stack, sql, code, parent }: DatabaseFailure = error;
  const reason = code ?? parent?.code;
  return {
    type: name,
    message: messageOf(error),
    ...(typeof reason === "string" && { code: reason }),
    ...(typeof sql === "string" && { statement: withoutValues(sql) }),
    stack,
  };
}
