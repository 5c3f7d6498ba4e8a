import { isNativeError } from "node:util/types";
import { messageOf } from "../../vocabulary/errors";
import { withoutValues } from "./statement-text";

/** The members that errors of Sequelize and of the pg client have beside those of every error. */
interface DatabaseFailure extends Error {
  /** A SQLSTATE, or a code of Node's such as `ECONNREFUSED`. */
  readonly code?: unknown;
  /** The pg client's error, if this is Sequelize's error around it. */
  readonly parent?: { readonly code?: unknown };
  /** The statement that failed. */
  readonly sql?: unknown;
}

/**
 * What the log says about an error. It has these members only: others carry values, such as PostgreSQL's `detail`,
 * `where` and `internalQuery`, and the parameters of the statement. If a value itself is wrong, the message quotes
 * it; the log has `…` in its place.
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

/** Whether a SQLSTATE is in the class of errors about values. Codes of Node begin with a letter. */
const isDataException = (code: string): boolean => code.startsWith("22");

/** The stack without quoted values. A stack begins with the message, except in errors of Sequelize. */
function stackWithoutQuoted({ message, stack = "" }: Error): string {
  const at = stack.indexOf(message);
  if (at < 0) return stack;
  return stack.slice(0, at) + withoutQuoted(message) + stack.slice(at + message.length);
}

/** The quotes in PostgreSQL's messages, in all its languages. */
const QUOTES = ['"', "«", "»", "„", "“", "”"];

/**
 * A message of PostgreSQL with `…` for everything between the first quote and the last one, because a value may
 * have quotes too.
 */
function withoutQuoted(message: string): string {
  const found = QUOTES.map((quote) => message.indexOf(quote)).filter((at) => at >= 0);
  if (found.length === 0) return message;
  const first = Math.min(...found);
  const last = Math.max(...QUOTES.map((quote) => message.lastIndexOf(quote)));
  return `${message.slice(0, first + 1)}…${last > first ? message.slice(last) : ""}`;
}
