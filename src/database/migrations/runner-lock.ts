import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { Client } from "pg";
import { holderInWords } from "../statements/lock-holders";
import { MigrationError } from "./error";

/** An arbitrary number that nothing else in this database uses as an advisory lock. */
const LOCK = 7_238_002;

/** Milliseconds between two attempts. */
const PAUSE = 100;

/**
 * Takes the lock that a runner of migrations holds until its session ends. It polls, because a session that
 * blocks in pg_advisory_lock holds a snapshot, and CREATE INDEX CONCURRENTLY of the other runner would wait
 * for that snapshot: a deadlock.
 *
 * @throws MigrationError if the lock is not free within `timeout` milliseconds
 */
export async function takeRunnerLock(client: Client, timeout: number): Promise<void> {
  const end = performance.now() + timeout;
  while (!(await tryLock(client))) {
    const left = end - performance.now();
    if (left <= 0) {
      const holder = await holderInWords(client, LOCK);
      throw new MigrationError(
        `Another migration has been running for more than ${timeout / 1000} s${holder}; try again when it has ended`,
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
