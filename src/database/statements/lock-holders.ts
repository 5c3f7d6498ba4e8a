import type { Client } from "pg";
import { outsideWork } from "../../vocabulary/current-work";
import { withClient } from "../connection/with-client";

/** A session that holds a lock which others wait for. */
export interface LockHolder {
  /** 0 is a prepared transaction. */
  readonly pid: number;
  readonly role: string | null;
  /** What the session calls itself. */
  readonly application: string | null;
  /** Null on a socket, and if the role of the service may not see it: `pg_read_all_stats` may. */
  readonly address: string | null;
}

/** Milliseconds for which an answer holds, so that a database in need is not asked more often. */
const MEMORY = 5_000;

/** Milliseconds for the database to answer. */
const PATIENCE = 1_000;

const DETAILS = "usename AS role, application_name AS application, host(client_addr) AS address";

/**
 * From sessions of this role that wait for a lock, follows who blocks whom to those who wait for nobody. Finding who
 * blocks a session holds up all locks of the server for a moment, so few sessions are begun with.
 */
const HOLDERS = `
  WITH RECURSIVE waiting AS MATERIALIZED (SELECT DISTINCT pid FROM pg_locks WHERE NOT granted),
  blocked AS (
    (SELECT pid FROM pg_stat_activity JOIN waiting USING (pid)
     WHERE datname = current_database() AND usename = current_user LIMIT 10)
    UNION
    SELECT unnest(pg_blocking_pids(pid)) FROM blocked JOIN waiting USING (pid)
  )
  SELECT pid, ${DETAILS} FROM blocked LEFT JOIN pg_stat_activity USING (pid)
  WHERE pid NOT IN (TABLE waiting) ORDER BY pid LIMIT 10`;

/**
 * The returned function looks for the sessions that keep this service's from going on. It asks the database once for
 * failures that come within a few seconds, on a connection of its own, and never rejects.
 */
export function lockHolderWatch(databaseUrl: string): () => Promise<readonly LockHolder[]> {
  const look = (): Promise<readonly LockHolder[]> =>
    withClient(databaseUrl, async (client) => (await client.query<LockHolder>(HOLDERS)).rows, {
      patience: PATIENCE,
    }).catch(() => []);
  let asked = -Infinity;
  let last: Promise<readonly LockHolder[]>;
  return () => {
    const now = performance.now();
    if (now - asked >= MEMORY) {
      asked = now;
      last = outsideWork(look);
    }
    return last;
  };
}

/** Words that name the session that has an advisory lock; empty if none has it any more. */
export async function holderInWords(client: Client, lock: number): Promise<string> {
  const { rows } = await client.query<LockHolder>(
    `SELECT pid, ${DETAILS} FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND objid = $1 AND classid = 0 AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1`,
    [lock],
  );
  const [holder] = rows;
  if (!holder) return "";
  const { pid, role, application } = holder;
  return ` (process ${pid} of the role ${role}, ${JSON.stringify(application)}, holds its lock)`;
}

/** Whether another session waits for a lock that this session holds. */
export async function blocksOthers(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ awaited: boolean }>(
    `SELECT EXISTS (
       SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))
     ) AS awaited`,
  );
  return rows[0]?.awaited === true;
}
