import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { Client } from "pg";
import type { MigrationSettings } from "../../config/settings";
import { assertOwnSession } from "../checks/pooler";
import { setRoleSettings } from "../checks/role-settings";
import { withClient } from "../connection/with-client";
import { holderInWords } from "../statements/lock-holders";
import { adoptBaseline, refuseEarlier } from "./baseline";
import { MigrationError, MIGRATIONS, readMigrations, type Migration } from "./files";
import {
  namesIn,
  prepareHistory,
  readStatus,
  refuse,
  refusePending,
  type MigrationStatus,
} from "./history";
import { assertRights } from "./rights";
import { runScript, type Script } from "./script";

export { MigrationError };
export type { MigrationStatus } from "./history";

/** The class of the SQLSTATEs of warnings. Their severity is translated. */
const WARNING = "01";

export interface MigratorOptions extends MigrationSettings {
  /** Folder of the SQL files; by default `migrations/` of this package. */
  readonly directory?: string;
  /** Longest wait for another runner, in milliseconds; a minute by default. */
  readonly lockTimeout?: number;
  /**
   * Receives a message if the schema is newer than the files, a migration warns or has to wait, or the role lacked
   * settings;
   * ignored by default.
   */
  readonly warn?: (message: string) => void;
}

/**
 * Applies the SQL files of `migrations/`. Each one runs in a transaction together with the insert of its
 * row in `schema_migrations`, unless its first line opts out. Runners that start at the same time wait for
 * each other.
 *
 * A release may be rolled back while the newer schema stays. Applied migrations that are newer than all
 * files are therefore an error only for `down`; `up` and `assertCurrent` pass a message to `warn`.
 */
export class Migrator {
  private readonly databaseUrl: string;
  private readonly directory: string;
  private readonly lockTimeout: number;
  private readonly warn: (message: string) => void;

  constructor(options: MigratorOptions) {
    this.databaseUrl = options.databaseUrl;
    this.directory = options.directory ?? MIGRATIONS;
    this.lockTimeout = options.lockTimeout ?? 60_000;
    this.warn = options.warn ?? (() => undefined);
  }

  /**
   * Applies the pending migrations in order and returns their names. A migration that fails leaves nothing
   * behind, unless it opts out of its transaction; the migrations before it stay applied. Then sets what the role
   * lacks, since a dump contains no settings of roles.
   *
   * @throws MigrationError if the files contradict the history, a migration fails, the role lacks rights,
   *   or the lock does not become free in time; OperatorError behind a pooler in transaction mode
   */
  async up(): Promise<string[]> {
    return this.locked(async (client, migrations) => {
      await adoptBaseline(client, migrations);
      const statuses = await readStatus(client, migrations);
      refuse(statuses, "edited", "missing", "reordered");
      this.warnOfNewer(statuses);
      const pending = filesOf(migrations, statuses, "pending");
      await assertRights(client, pending);
      await prepareHistory(client);
      for (const { name, up, checksum } of pending) {
        const insert = "INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)";
        await this.run(client, up, () => client.query(insert, [name, checksum]));
      }
      await setRoleSettings(client, this.warn);
      return pending.map(({ name }) => name);
    });
  }

  /**
   * Reverts the last `steps` migrations, latest first, and returns their names. If fewer are applied, it
   * reverts all of them.
   *
   * @throws MigrationError like {@link up}, and if migrations are applied that are newer than the files
   */
  async down(steps = 1): Promise<string[]> {
    return this.locked(async (client, migrations) => {
      await refuseEarlier(client);
      const statuses = await readStatus(client, migrations);
      refuse(statuses, "edited", "missing", "newer");
      const reverted = filesOf(migrations, statuses, "applied").reverse().slice(0, steps);
      for (const { name, down } of reverted) {
        const remove = "DELETE FROM schema_migrations WHERE name = $1";
        await this.run(client, down, () => client.query(remove, [name]));
      }
      return reverted.map(({ name }) => name);
    });
  }

  /** The state of every migration that is on disk or applied, ordered by number. Changes nothing. */
  async status(): Promise<MigrationStatus[]> {
    const migrations = await readMigrations(this.directory);
    return withClient(this.databaseUrl, async (client) => {
      await refuseEarlier(client);
      return readStatus(client, migrations);
    });
  }

  /**
   * Checks that all migrations on disk are applied and unchanged. Changes nothing and needs no lock.
   *
   * @throws MigrationError that names those that contradict the files; or that says what to run
   */
  async assertCurrent(): Promise<void> {
    const statuses = await this.status();
    refuse(statuses, "edited", "missing", "reordered");
    refusePending(statuses);
    this.warnOfNewer(statuses);
  }

  private run(client: Client, script: Script, record: () => Promise<unknown>): Promise<void> {
    const waits = (): void =>
      this.warn(
        `${script.file} waits for a table that others use, such as an autovacuum, and is tried again for ten minutes.`,
      );
    return runScript(client, script, { record, waits });
  }

  private warnOfNewer(statuses: readonly MigrationStatus[]): void {
    const names = namesIn(statuses, "newer");
    if (names.length === 0) return;
    this.warn(
      `The database has migrations that are newer than this release: ${names.join(", ")}. The schema is left as it is.`,
    );
  }

  private async locked<T>(
    use: (client: Client, migrations: readonly Migration[]) => Promise<T>,
  ): Promise<T> {
    const migrations = await readMigrations(this.directory);
    return withClient(this.databaseUrl, async (client) => {
      await assertOwnSession(client, this.databaseUrl);
      client.on("notice", ({ code, message }) => {
        if (code?.startsWith(WARNING)) this.warn(message ?? "");
      });
      // The timeouts of the role are meant for requests, not for migrations.
      await client.query("SET lock_timeout = 0; SET statement_timeout = 0");
      await takeRunnerLock(client, this.lockTimeout);
      return use(client, migrations);
    });
  }
}

function filesOf(
  migrations: readonly Migration[],
  statuses: readonly MigrationStatus[],
  state: MigrationStatus["state"],
): Migration[] {
  const names = namesIn(statuses, state);
  return migrations.filter(({ name }) => names.includes(name));
}

/** An arbitrary number that nothing else in this database uses as an advisory lock. */
const LOCK = 7_238_002;

const PAUSE = 100;

/**
 * Takes the lock that a runner of migrations holds until its session ends. It polls, because a session that
 * blocks in pg_advisory_lock holds a snapshot, and CREATE INDEX CONCURRENTLY of the other runner would wait
 * for that snapshot: a deadlock.
 *
 * @throws MigrationError if the lock is not free within `timeout` milliseconds
 */
async function takeRunnerLock(client: Client, timeout: number): Promise<void> {
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
