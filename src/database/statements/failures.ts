import { types } from "node:util";
import { DatabaseError as ServerError } from "pg";
import {
  BaseError,
  ConnectionAcquireTimeoutError,
  ConnectionError,
  DatabaseError,
  TimeoutError,
} from "sequelize";

/** SQLSTATE classes of temporary failures: connection, resources, operator intervention, system error. */
const UNAVAILABLE_CLASSES = new Set(["08", "53", "57", "58"]);

/** The server became read-only, as in a failover, or it ended a transaction that was idle for too long. */
const UNAVAILABLE_STATES = new Set(["25006", "25P03"]);

/**
 * Serialization failure and deadlock: the same transaction may succeed if it is repeated. A service that repeats after
 * other errors, too, throws {@link ConcurrentChange} instead of them.
 */
const TRANSIENT_STATES = new Set(["40001", "40P01"]);

/** Messages of the pg client, without a SQLSTATE, when a connection breaks during a statement. */
const BROKEN_CONNECTION =
  /Connection terminated|connection error|Query read timeout|timeout exceeded when trying to connect|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|This socket has been ended/i;

/** The SQLSTATE of an error of Sequelize or of the pg client; empty if it has none. */
function sqlState(error: unknown): string {
  const { code } = (error instanceof DatabaseError ? error.parent : error) as { code?: unknown };
  // A code without a digit is one of Node's, such as EPIPE.
  return typeof code === "string" && /^(?=.*[0-9])[0-9A-Z]{5}$/.test(code) ? code : "";
}

/**
 * Thrown in a transaction that relies on data which another transaction has changed in the meantime. A
 * repeated transaction sees the change.
 */
export class ConcurrentChange extends Error {
  override readonly name = "ConcurrentChange";
}

/** Whether the transaction that failed may succeed if it is repeated as a whole. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ConcurrentChange ||
  (error instanceof Error && TRANSIENT_STATES.has(sqlState(error)));

/** Classes of the SQLSTATEs with which the server ends a session or refuses to begin one. */
const SESSION_OVER = /^(?:08|57P)/;

/** Whether a failure may mean that the database can't be reached. If not, the database has refused a statement. */
export function isLoss(error: unknown): boolean {
  if (!isUnavailable(error) || error instanceof ConcurrentChange) return false;
  const state = sqlState(error);
  return error instanceof ConnectionError || state === "" || SESSION_OVER.test(state);
}

/** Whether a request has waited for a connection of the pool until its timeout. */
export const hasWaitedTooLong = (error: unknown): boolean =>
  error instanceof ConnectionAcquireTimeoutError;

/** Canceled by a time-out, and a lock that was not available in time. */
const TIMED_OUT = /^(?:57014|55P03)?$/;

/** Whether a failure may mean that a session holds a lock for too long. A statement that is given up has no SQLSTATE. */
export const mayBeLockedOut = (error: unknown): boolean =>
  isUnavailable(error) && !(error instanceof ConcurrentChange) && TIMED_OUT.test(sqlState(error));

/** Whether the database was down or overloaded, or gave up. The error then says nothing about the request. */
export function isUnavailable(error: unknown): boolean {
  // Not `instanceof`: if modules have globals of their own, a socket's error belongs to another class `Error`.
  if (!types.isNativeError(error)) return false;
  if (error instanceof ConcurrentChange) return true;
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  const state = sqlState(error);
  if (state !== "")
    return (
      TRANSIENT_STATES.has(state) ||
      UNAVAILABLE_STATES.has(state) ||
      UNAVAILABLE_CLASSES.has(state.slice(0, 2))
    );
  return BROKEN_CONNECTION.test(error.message);
}

/**
 * The name of the constraint that a statement violated; undefined for any other error. The class of
 * Sequelize's error is ignored because it does not know the code that PostgreSQL 18 uses for RESTRICT.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const cause = error instanceof BaseError ? (error as { parent?: unknown }).parent : error;
  return cause instanceof ServerError ? cause.constraint : undefined;
}
