import { DatabaseError, type Client } from "pg";
import { OperatorError } from "../../vocabulary/errors";
import { withClient } from "../connection/with-client";

/** Milliseconds to wait for an answer. A pooler with one session gives none while another client holds it. */
const TIMEOUT = 1_000;

/** Turns of the two connections: in a single one, a busy pooler may give them different sessions by chance. */
const TURNS = 3;

/** The name under which each connection prepares its statement. The texts of the two statements differ. */
const NAME = "tea-shop start";

/**
 * Checks that each connection finds the statements that it has prepared by name.
 *
 * @throws OperatorError if a pooler mixes up the statement names of its clients; the errors of
 *   pg if it can't connect
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
 * Checks that a connection has a session of its own. A session-level lock needs one.
 *
 * @throws OperatorError behind a pooler in transaction mode
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
 * Calls `ask` for two connections in turns, with the indexes 0 and 1, and returns whether all answers are yes.
 * A connection that can't be opened shares no session, so failures count as yes, except those of mixed-up
 * names. Other code reports an unreachable database.
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
    // A prepared statement of this name exists already (42P05), or does not exist (26000).
    return !(error instanceof DatabaseError && ["42P05", "26000"].includes(error.code ?? ""));
  }
}
