import type { Socket } from "node:net";
import { DatabaseError, type Client } from "pg";
import type { DatabaseSettings } from "../../config/settings";
import { OperatorError } from "../../vocabulary/errors";
import { sessionOf } from "../connection/internals";
import { withClient } from "../connection/with-client";

/** Connections that are tried behind a pooler, which may choose a server for each of them by chance. */
const CONNECTIONS = 20;

const AT_ONCE = 4;

/** Milliseconds to wait for an answer. A pooler with one session gives none while another client holds it. */
const TIMEOUT = 1_000;

/**
 * A read whose answer depends on the server. Poolers send functions that may change something to the primary, such as
 * `pg_is_in_recovery()`, but not this one.
 */
const READ = "SELECT current_setting('in_hot_standby', true) AS standby";

/** Fails at a standby. No pooler can take it for a read. */
const WRITE = `DO $$ BEGIN
  IF pg_is_in_recovery() THEN RAISE EXCEPTION USING ERRCODE = 'read_only_sql_transaction'; END IF;
END $$`;

/**
 * Checks that a pooler before the database, if there is one, loses nothing that the service relies on.
 *
 * @throws OperatorError that says what to set; the errors of pg if it can't connect
 */
export async function checkPooler({
  url,
  namedStatements,
}: Pick<DatabaseSettings, "url" | "namedStatements">): Promise<void> {
  if (await withClient(url, isDirect)) return;
  await assertOneServer(url);
  if (namedStatements) await checkNamedStatements(url);
}

/**
 * Checks that reads are answered by the server that takes writes. A pooler that sends reads to standbys by itself would
 * show clients less than they have seen, and nothing would notice: the check of cached answers goes to a standby, too.
 *
 * @throws OperatorError behind such a pooler
 */
async function assertOneServer(databaseUrl: string): Promise<void> {
  const found = { takesWrites: false, readsStandby: false };
  const attempt = async (): Promise<void> => {
    const { takesWrites, readsStandby } = await withClient(databaseUrl, seenBy);
    found.takesWrites ||= takesWrites;
    found.readsStandby ||= readsStandby;
  };
  for (let tried = 0; tried < CONNECTIONS; tried += AT_ONCE) {
    // One that can't be opened shows nothing.
    await Promise.allSettled(Array.from({ length: AT_ONCE }, attempt));
    if (found.takesWrites && found.readsStandby) throw new OperatorError(REFUSED);
  }
}

const REFUSED =
  "DATABASE_URL leads to a pooler that sends reads to standbys by itself, so clients would not see what they have changed: turn its load balancing off, and name the standbys in DATABASE_REPLICA_URLS";

/** Whether a connection leads to a server with nothing in between: both name the same port and the same session. */
async function isDirect(client: Client): Promise<boolean> {
  const { localPort } = client.connection.stream as Socket;
  const text = "SELECT inet_client_port() AS port, pg_backend_pid() AS pid";
  const query = { text, query_timeout: TIMEOUT };
  const { rows } = await client.query<{ port: number | null; pid: number }>(query);
  return rows[0]?.port === localPort && rows[0]?.pid === sessionOf(client).processID;
}

/** The reads come first: some poolers send none to a standby once their client has written. */
async function seenBy(
  client: Client,
): Promise<{ readonly takesWrites: boolean; readonly readsStandby: boolean }> {
  const ask = async (text: string): Promise<boolean> => {
    const query = { text, query_timeout: TIMEOUT };
    const { rows } = await client.query<{ standby?: string }>(query);
    return rows[0]?.standby === "on";
  };
  const outside = [await ask(READ), await ask(READ)];
  await ask("BEGIN");
  const inside = await ask(READ);
  await ask("COMMIT");
  const takesWrites = await ask(WRITE).then(
    () => true,
    () => false,
  );
  return { takesWrites, readsStandby: inside || outside.includes(true) };
}

/** Rounds of the two connections: in a single one, a busy pooler may give them different sessions by chance. */
const ROUNDS = 3;

/** The name under which each connection prepares its statement. The texts of the two statements differ. */
const NAME = "tea-shop start";

/**
 * Checks that each connection finds the statements that it has prepared by name.
 *
 * @throws OperatorError if a pooler mixes up the statement names of its clients; the errors of
 *   pg if it can't connect
 */
async function checkNamedStatements(databaseUrl: string): Promise<void> {
  const areFound = await withClient(databaseUrl, (client) =>
    alternately(client, databaseUrl, async (each, value) => {
      const query = { name: NAME, text: `SELECT ${value} AS value`, query_timeout: TIMEOUT };
      const { rows } = await each.query<{ value: number }>(query);
      return rows[0]?.value === value;
    }),
  );
  if (areFound) return;
  throw new OperatorError(
    "DATABASE_URL leads to a pooler that mixes up the prepared statements of its clients: set NAMED_STATEMENTS=off, or max_prepared_statements in PgBouncer 1.21 or later",
  );
}

/**
 * Checks that a connection has a session of its own. A session-level lock needs one.
 *
 * @throws OperatorError behind a pooler in transaction mode
 */
export async function assertOwnSession(client: Client, databaseUrl: string): Promise<void> {
  const sessions: (number | undefined)[] = [];
  const isOwn = await alternately(client, databaseUrl, async (each, index) => {
    const query = { text: "SELECT pg_backend_pid() AS pid", query_timeout: TIMEOUT };
    const { rows } = await each.query<{ pid: number }>(query);
    sessions[index] ??= rows[0]?.pid;
    return sessions.indexOf(rows[0]?.pid) === index;
  });
  if (isOwn) return;
  throw new OperatorError(
    "The connection goes through a pooler in transaction mode, which loses the lock of this command: set MIGRATION_DATABASE_URL to PostgreSQL itself",
  );
}

/**
 * Calls `ask` for two connections alternately, with the indexes 0 and 1, and returns whether all answers are yes.
 * A connection that can't be opened shares no session, so failures count as yes, except those of mixed-up
 * names. Other code reports an unreachable database.
 */
async function alternately(
  client: Client,
  databaseUrl: string,
  ask: (client: Client, index: number) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await withClient(databaseUrl, async (other) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        if (!(await ask(client, 0)) || !(await ask(other, 1))) return false;
      }
      return true;
    });
  } catch (error) {
    // A prepared statement of this name exists already (42P05), or does not exist (26000).
    return !(error instanceof DatabaseError && ["42P05", "26000"].includes(error.code ?? ""));
  }
}
