import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { Client } from "pg";
import { MigrationError } from "./error";

/** Held for as long as a runner is at work; any number that nothing else in this database locks. */
const LOCK = 7_238_002;

/** Milliseconds between two tries. */
const PAUSE = 100;

/**
 * Takes the lock that each runner of migrations holds until its session ends. It is tried again and
 * again, as a session that blocks in pg_advisory_lock holds a snapshot, and CREATE INDEX CONCURRENTLY of
 * the runner at work would wait for it.
 *
 * @throws MigrationError where it does not come free within `timeout` milliseconds
 */
export async function takeRunnerLock(client: Client, timeout: number): Promise<void> {
  const end = performance.now() + timeout;
  while (!(await tryLock(client))) {
    const left = end - performance.now();
    if (left <= 0) {
      throw new MigrationError(
        `Another migration has been running for more than ${timeout / 1000} s; try again when it has ended`,
      );
    }
    await setTimeout(Math.min(PAUSE, left));
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ isTaken: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS "isTaken"',
    [LOCK],
  );
  return rows[0]?.isTaken === true;
}
