import type { Client } from "pg";

/** Whether another session waits for a lock that this session holds. */
export async function blocksOthers(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ awaited: boolean }>(
    `SELECT EXISTS (
       SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))
     ) AS awaited`,
  );
  return rows[0]?.awaited === true;
}
