import type { TestApp } from "./app";

/** The number of sessions of an app's database that wait for a lock. */
export async function waitingForLocks({ sql }: Pick<TestApp, "sql">): Promise<number> {
  const waiting = await sql(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length;
}
