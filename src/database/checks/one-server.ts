import type { Client } from "pg";
import { OperatorError } from "../../vocabulary/errors";
import { withClient } from "../connection/with-client";

/** Connections that are tried at once: a pooler may choose a server for each connection by chance. */
const CONNECTIONS = 6;

/** Milliseconds to wait for an answer. */
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
 * Checks that reads are answered by the server that takes writes. A pooler that sends reads to standbys by itself would
 * show clients less than they were told, and nothing would notice: the check for kept answers goes to a standby, too.
 *
 * @throws OperatorError behind such a pooler; the errors of pg if it can't connect
 */
export async function assertOneServer(databaseUrl: string): Promise<void> {
  const tried = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      withClient(databaseUrl, readsOfStandby).catch(() => UNKNOWN),
    ),
  );
  const takesWrites = tried.some((each) => each.takesWrites);
  if (!takesWrites || !tried.some((each) => each.readsStandby)) return;
  throw new OperatorError(
    "DATABASE_URL leads to a pooler that sends reads to standbys by itself, so clients would not see what they have changed: turn its load balancing off, and name the standbys in DATABASE_REPLICA_URLS",
  );
}

const UNKNOWN = { takesWrites: false, readsStandby: false };

async function readsOfStandby(client: Client): Promise<typeof UNKNOWN> {
  const ask = async (text: string): Promise<boolean> => {
    const query = { text, query_timeout: TIMEOUT };
    const { rows } = await client.query<{ standby?: string }>(query);
    return rows[0]?.standby === "on";
  };
  const takesWrites = await ask(WRITE).then(
    () => true,
    () => false,
  );
  const outside = [await ask(READ), await ask(READ)];
  await ask("BEGIN");
  const inside = await ask(READ);
  await ask("COMMIT");
  return { takesWrites, readsStandby: inside || outside.includes(true) };
}
