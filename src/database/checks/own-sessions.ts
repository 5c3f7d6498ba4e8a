import { DatabaseError, type Client } from "pg";
import { OperatorError } from "../../vocabulary/errors";
import { withClient } from "../connection/with-client";

/** Milliseconds for an answer. A pooler that has one session, and keeps it for a client, gives others none. */
const TIMEOUT = 1_000;

/** How often two connections take turns: a busy pooler may give them different sessions by chance. */
const TURNS = 3;

/** What is prepared for the check, by each connection with a text of its own. */
const NAME = "tea-shop start";

/**
 * Checks that what a connection prepares under a name is there when it is used.
 *
 * @throws OperatorError if there is a pooler that mixes up the names of its clients; the errors of pg if
 *   there is no connection
 */
export async function checkNamedStatements(databaseUrl: string): Promise<void> {
  const areKept = await withClient(databaseUrl, (client) =>
    inTurns(client, databaseUrl, async (each, value) => {
      const query = { name: NAME, text: `SELECT ${value} AS value`, query_timeout: TIMEOUT };
      const { rows } = await each.query<{ value: number }>(query);
      return rows[0]?.value === value;
    }),
  );
  if (areKept) return;
  throw new OperatorError(
    "DATABASE_URL leads to a pooler that mixes up the prepared statements of its clients: set NAMED_STATEMENTS=off, or max_prepared_statements in PgBouncer 1.21 or later",
  );
}

/**
 * Checks that a connection has a session of its own, which a lock that is held for a session needs.
 *
 * @throws OperatorError if there is a pooler in transaction mode
 */
export async function assertOwnSession(client: Client, databaseUrl: string): Promise<void> {
  const sessions: (number | undefined)[] = [];
  const isOwn = await inTurns(client, databaseUrl, async (each, index) => {
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
 * Asks for each of two connections in turn, with 0 and 1, whether it is as it should be. A connection that
 * can't be had is none that shares a session, so it counts as in order; others report a database that is away.
 */
async function inTurns(
  client: Client,
  databaseUrl: string,
  ask: (client: Client, index: number) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await withClient(databaseUrl, async (other) => {
      for (let turn = 0; turn < TURNS; turn += 1) {
        if (!(await ask(client, 0)) || !(await ask(other, 1))) return false;
      }
      return true;
    });
  } catch (error) {
    // A name that is taken already, or unknown.
    return !(error instanceof DatabaseError && ["42P05", "26000"].includes(error.code ?? ""));
  }
}
