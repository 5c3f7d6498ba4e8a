import { ConnectionError, DatabaseError, TimeoutError } from "sequelize";

/** SQLSTATE classes of a database that can't serve now: connection, resources, operator intervention, system. */
const UNAVAILABLE_CLASSES = new Set(["08", "53", "57", "58"]);

/** A server that became read-only, as in a failover, and a transaction that was given up while idle. */
const UNAVAILABLE_STATES = new Set(["25006", "25P03"]);

/** Serialization failure and deadlock: the same again may well succeed. */
const TRANSIENT_STATES = new Set(["40001", "40P01"]);

/** What the pg client says, without a SQLSTATE, when a connection breaks under a statement. */
const BROKEN_CONNECTION =
  /Connection terminated|connection error|Query read timeout|timeout exceeded when trying to connect|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|This socket has been ended/i;

/** The SQLSTATE, whether Sequelize wrapped the client's error or not. */
function sqlState(error: unknown): string {
  const { code } = (error instanceof DatabaseError ? error.parent : error) as { code?: unknown };
  // Without a digit it is a code of Node's, such as EPIPE.
  return typeof code === "string" && /^(?=.*[0-9])[0-9A-Z]{5}$/.test(code) ? code : "";
}

/**
 * Thrown by the work of a transaction that relied on what another one has changed meanwhile: repeated, it
 * sees the change.
 */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** Whether the transaction that failed is worth repeating as a whole. */
export const isTransient = (error: unknown): boolean =>
  error instanceof Overtaken || (error instanceof Error && TRANSIENT_STATES.has(sqlState(error)));

/** Whether the error says that the database is away, overloaded or gave up: nothing about the request. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Overtaken) return true;
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
