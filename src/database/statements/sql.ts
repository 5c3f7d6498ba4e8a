import { DatabaseError, type ClientBase, type QueryConfig } from "pg";
import type { Transaction } from "sequelize";
import sql, { type Sql } from "sql-template-tag";
import { currentOrigin } from "../../vocabulary/current-work";
import { unavailable } from "../../vocabulary/errors";
import { cancelStatement, type Session } from "../connection/cancel";
import type { Readable } from "../connection/readable";
import { URGENT } from "../connection/connection-gate";

/** A statement and the values of its parameters: `$1` is the first. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Options of {@link runSql}. */
interface RunOptions {
  /** The transaction in which the statement runs. */
  readonly transaction?: Transaction;
  /**
   * A name under which each connection prepares the statement at its first use, so that PostgreSQL parses it
   * only once. The same name must always have the same text, and there must be few names, because each
   * connection holds all of them. PostgreSQL cuts names after 63 bytes.
   */
  readonly name?: string | undefined;
  /** Cancels the statement when nobody waits for its rows any more. Has no effect in a transaction. */
  readonly signal?: AbortSignal | undefined;
  /** Waits for a connection even if the queue is full. Only for statements of which few can wait at a time. */
  readonly urgent?: boolean;
}

/** Members of Sequelize's pool, and of its transactions, that its declarations leave out. */
interface Connection extends Session, Pick<ClientBase, "query"> {
  /** Whether the connection is broken, so that the pool must not hand it out again. */
  _invalid?: boolean;
}

/** With an option that pg's declarations leave out. */
interface ExtendedQuery extends QueryConfig<unknown[]> {
  readonly queryMode: "extended";
}

interface ConnectionManager {
  getConnection(options?: object): Promise<Connection>;
  releaseConnection(connection: Connection): void;
}

/**
 * Whether a statement failed because the server has forgotten the prepared statement of its name, or because a
 * migration has changed the type of one of its columns.
 */
const isStale = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === "26000" || error.code === "0A000");

/** Whether a statement failed because its session is over. Of PostgreSQL's errors, only classes 08 and 57P end it. */
const isOver = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || /^(08|57P)/.test(error.code ?? "");

/**
 * Runs a handwritten statement on Sequelize's pool, without Sequelize's own query layer, and returns its rows;
 * the caller declares their type. All handwritten SQL on the pool goes through this function.
 *
 * @throws the errors of the pg client, and those of the pool if it gives no connection; DomainError UNAVAILABLE
 *   if the signal was aborted before the statement was sent
 */
export async function runSql<Row extends object>(
  database: Readable,
  statement: Statement,
  { transaction, name, signal, urgent = false }: RunOptions = {},
): Promise<Row[]> {
  if (transaction) return send(connectionOf(transaction), statement, name);
  if (signal?.aborted) throw unavailable("abandoned");
  const manager = database.connectionManager as unknown as ConnectionManager;
  const connection = await manager.getConnection(urgent ? URGENT : undefined);
  try {
    return await (signal
      ? sendWhileWanted<Row>(connection, { statement, name, signal })
      : send<Row>(connection, statement, name));
  } catch (error) {
    if (!isStale(error)) throw error;
    connection._invalid = true;
    return await send<Row>(connection, statement);
  } finally {
    manager.releaseConnection(connection);
  }
}

/** Sends a statement and cancels it if the signal is aborted meanwhile. */
async function sendWhileWanted<Row extends object>(
  connection: Connection,
  {
    statement,
    name,
    signal,
  }: { statement: Statement; name?: string | undefined; signal: AbortSignal },
): Promise<Row[]> {
  if (signal.aborted) throw unavailable("abandoned");
  let cancelled: Promise<boolean> | undefined;
  const cancel = (): void => void (cancelled = cancelStatement(connection));
  signal.addEventListener("abort", cancel);
  try {
    return await send<Row>(connection, statement, name);
  } finally {
    signal.removeEventListener("abort", cancel);
    // A request to cancel that is still on its way must not hit the connection's next statement.
    if ((await cancelled) === false) connection._invalid = true;
  }
}

/** Runs a statement on a connection that the caller holds; see {@link runSql}. */
export async function send<Row extends object>(
  connection: Pick<Connection, "query" | "_invalid">,
  { text, values }: Statement,
  name?: string,
): Promise<Row[]> {
  // The extended protocol refuses several statements in one text, also where there are no values.
  const query: ExtendedQuery = { name, text, values: [...values], queryMode: "extended" };
  try {
    return await new Promise((resolve, reject) => {
      connection.query<Row>(query, (error: Error | null, result) => {
        if (error) reject(error);
        else resolve(result.rows);
      });
    });
  } catch (error) {
    // The pool notices this by itself, but only when the socket has closed.
    if (isOver(error)) connection._invalid = true;
    // pg creates its errors in an event of the socket, so their stack does not lead to the caller.
    if (error instanceof Error) Error.captureStackTrace(error, send);
    // As in errors of Sequelize. If requests share the statement, each of them gets its text with the error.
    Object.assign(error as object, { sql: text });
    throw error;
  }
}

function connectionOf(transaction: Transaction): Connection {
  const { connection, finished } = transaction as unknown as {
    readonly connection: Connection;
    readonly finished?: string;
  };
  if (finished !== undefined) throw new Error("The transaction has ended");
  return connection;
}

/**
 * An expression that tells the triggers of its transaction where the change comes from (migration 028). Nothing of it
 * outlives the transaction. A changing statement selects it `FROM`, so that it takes no statement of its own.
 */
export const origin = (): Sql => {
  const current = currentOrigin();
  return sql`(SELECT set_config('tea_shop.origin', ${current ? JSON.stringify(current) : ""}, true) AS change_origin) AS change`;
};
