import { setTimeout } from "node:timers/promises";
import pg from "pg";

/** Milliseconds between two looks; a lock is known to be held that much longer at most. */
const INTERVAL = 20;

/** Locks of tables that reads or writes wait for; the service itself takes none of them. */
const STRONG = ["ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock"];

const HELD = `
  SELECT l.pid, c.relname AS relation, l.mode
  FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.granted AND l.mode = ANY ($1) AND c.relname = ANY ($2) AND a.backend_type = 'client backend'`;

const WAITING = `
  SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start)), 0)::float * 1000 AS milliseconds
  FROM pg_stat_activity WHERE application_name = 'tea-shop' AND wait_event_type = 'Lock'`;

/** Watches which strong locks on the tables of a database are held how long, and how long the service waits for any. */
export class LockWatch {
  #stopping = false;
  #watching;
  #held = new Map();
  /** Milliseconds, the longest of each. */
  longestHeld = 0;
  longestWait = 0;
  name = "none";

  static async start(url) {
    const watch = new LockWatch();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("SET statement_timeout = 0");
    // What a migration creates is nobody else's before it is committed.
    const { rows } = await client.query(
      "SELECT relname FROM pg_class WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace",
    );
    const relations = rows.map(({ relname }) => relname);
    watch.#watching = watch.#run(client, relations);
    return watch;
  }

  async stop() {
    this.#stopping = true;
    await this.#watching;
    return this;
  }

  async #run(client, relations) {
    while (!this.#stopping) {
      const { rows } = await client.query(HELD, [STRONG, relations]);
      this.#note(rows, performance.now());
      const waiting = await client.query(WAITING);
      this.longestWait = Math.max(this.longestWait, waiting.rows[0].milliseconds);
      await setTimeout(INTERVAL);
    }
    await client.end();
  }

  #note(rows, now) {
    const before = this.#held;
    this.#held = new Map();
    for (const { pid, relation, mode } of rows) {
      const key = `${pid} ${relation} ${mode}`;
      const since = before.get(key) ?? now - INTERVAL;
      this.#held.set(key, since);
      if (now - since <= this.longestHeld) continue;
      this.longestHeld = now - since;
      this.name = `${mode} of ${relation}`;
    }
  }
}
