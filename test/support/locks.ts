import { Client } from "pg";
import type { TestApp } from "./app";

/** A kind of lock, by PostgreSQL's name of the wait event. */
type Lock = "advisory" | "transactionid";

/** The number of sessions of an app's database that wait for a lock: for any, or only for those of a kind. */
export async function waitingForLocks({ sql }: Pick<TestApp, "sql">, kind?: Lock): Promise<number> {
  const waiting = await sql(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND ${kind ? `wait_event = '${kind}'` : "true"}`,
  );
  return waiting.length;
}

/** Runs `work` beside a session that has begun with a statement, such as `LOCK TABLE admins`. */
export async function besideLock<T>(
  { database }: { readonly database: Pick<TestApp["database"], "url"> },
  statement: string,
  work: (holder: Client) => Promise<T>,
): Promise<T> {
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  try {
    await holder.query(`BEGIN; ${statement}`);
    return await work(holder);
  } finally {
    await holder.end();
  }
}
