import { DatabaseError, type Client, type QueryConfig } from "pg";
import { QueryTypes, type Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import { writeContextJson } from "../../vocabulary/current-work";
import { unavailable } from "../../vocabulary/errors";
import { cancelStatement } from "../connection/cancel";
import { managerOf, type PooledConnection } from "../connection/internals";

/** A statement and the values of its parameters: `$1` is the first. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Options of {@link runSql}. */
interface RunOptions {
  /**
   * A name under which each connection prepares the statement at its first use, so that PostgreSQL parses it
   * only once. The same name must always have the same text, and there must be few names, because each
   * connection holds all of them. PostgreSQL cuts names after 63 bytes.
   */
  readonly name?: string | undefined;
  /** Cancels the statement when nobody waits for its rows any more. */
  readonly signal?: AbortSignal | undefined;
  /** Waits for a connection even if the queue is full. Only for statements of which few can wait at a time. */
  readonly urgent?: boolean;
}

/** With an option that pg's declarations leave out. */
interface ExtendedQuery extends QueryConfig<unknown[]> {
  readonly queryMode: "extended";
}

/**
 * Whether a statement failed because the server has forgotten the prepared statement of its name, or because a
 * migration has changed the type of one of its columns.
 */
const isStale = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === "26000" || error.code === "0A000");

/**
 * Runs a handwritten statement on Sequelize's pool, without Sequelize's own query layer, and returns its rows;
 * the caller declares their type. Handwritten SQL in a transaction goes through {@link runWithin}.
 *
 * @throws the errors of the pg client, and those of the pool if it gives no connection; DomainError UNAVAILABLE
 *   if the signal was aborted before the statement was sent
 */
export async function runSql<Row extends object>(
  database: Sequelize,
  statement: Statement,
  { name, signal, urgent = false }: RunOptions = {},
): Promise<Row[]> {
  if (signal?.aborted) throw unavailable("abandoned");
  const manager = managerOf(database);
  const connection = await manager.getConnection({ urgent });
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

/** Sends a statement and cancels it when the signal is aborted. */
async function sendWhileWanted<Row extends object>(
  connection: PooledConnection,
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
  connection: Pick<Client, "query">,
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
    // pg creates its errors in an event of the socket, so their stack does not lead to the caller.
    if (error instanceof Error) Error.captureStackTrace(error, send);
    // As in errors of Sequelize. If requests share the statement, each of them gets its text with the error.
    Object.assign(error as object, { sql: text });
    throw error;
  }
}

/** Runs a handwritten statement in a transaction of Sequelize's, and returns its rows. */
export const runWithin = <Row extends object>(
  sequelize: Sequelize,
  transaction: Transaction,
  { text, values }: Statement,
): Promise<Row[]> =>
  sequelize.query<Row>(text, {
    transaction,
    type: QueryTypes.SELECT,
    ...(values.length > 0 && { bind: values.map((value) => value ?? null) }),
  });

/**
 * An expression that sets the write context of the transaction for its triggers (migration 006). A changing statement
 * selects it `FROM`, so that it takes no statement of its own.
 */
export const settingWriteContext = (): Sql =>
  sql`(SELECT set_config('tea_shop.origin', ${writeContextJson()}, true) AS change_origin) AS change`;
