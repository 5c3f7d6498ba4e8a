import { isNativeError } from "node:util/types";
import { messageOf } from "../../vocabulary/errors";
import { withoutQuoted } from "./quoted-values";
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
 * `detail`, `where` and `internalQuery`, and in the parameters of the statement. Where a value itself is wrong,
 * the message quotes it, and `…` stands for it.
 */
export function describeError(error: unknown): unknown {
  if (!isNativeError(error)) return error;
  const { name, stack, sql, code, parent }: DatabaseFailure = error;
  const reason = code ?? parent?.code;
  const quotesValue = typeof reason === "string" && isDataException(reason);
  return {
    type: name,
    message: quotesValue ? withoutQuoted(messageOf(error)) : messageOf(error),
    ...(typeof reason === "string" && { code: reason }),
    ...(typeof sql === "string" && { statement: withoutValues(sql) }),
    stack: quotesValue ? stackWithoutQuoted(error) : stack,
  };
}

/** Whether a SQLSTATE is of the class that is about values. Codes of Node begin with a letter. */
const isDataException = (code: string): boolean => code.startsWith("22");

/** A stack begins with the message, unless it is one of Sequelize's. */
function stackWithoutQuoted({ message, stack = "" }: Error): string {
  const at = stack.indexOf(message);
  if (at < 0) return stack;
  return stack.slice(0, at) + withoutQuoted(message) + stack.slice(at + message.length);
}
