import path from "node:path";
import type { Client } from "pg";
import type { MigrationSettings } from "../../config/settings";
import { withClient } from "../with-client";
import { readMigrations, type Migration } from "./files";
import { namesIn, prepareHistory, readStatus, refuse, type MigrationStatus } from "./history";
import { assertRights } from "./rights";
import { takeRunnerLock } from "./runner-lock";
import { runScript } from "./script";

export { MigrationError, PendingMigrations } from "./error";
export type { MigrationStatus } from "./history";

/** Where the migrations are and what they are applied to. */
export interface MigratorOptions extends MigrationSettings {
  /** Folder of the SQL files; the package's own by default. */
  readonly directory?: string;
  /** Longest wait for another runner, in milliseconds; a minute by default. */
  readonly lockTimeout?: number;
  /** Takes the message about a schema that is newer than the files; nobody by default. */
  readonly warn?: (message: string) => void;
}

/** From `src/database/migrations` as well as from `dist/database/migrations`. */
const DIRECTORY = path.join(__dirname, "../../../migrations");

/**
 * Applies the SQL files of `migrations/`, each in one transaction together with its row in
 * `schema_migrations` unless its first line opts out. Runners that start at once wait for each other.
 *
 * A release may go back while its successor's schema stays: what is applied and newer than all files is
 * no fault, but for {@link down}. Where it is met otherwise, `warn` takes a message that names it.
 */
export class Migrator {
  private readonly databaseUrl: string;
  private readonly directory: string;
  private readonly lockTimeout: number;
  private readonly warn: (message: string) => void;

  constructor(options: MigratorOptions) {
    this.databaseUrl = options.databaseUrl;
    this.directory = options.directory ?? DIRECTORY;
    this.lockTimeout = options.lockTimeout ?? 60_000;
    this.warn = options.warn ?? (() => undefined);
  }

  /**
   * Applies what is pending, in order; returns the names of what was applied. A migration that fails
   * leaves nothing behind, but where it opts out of its transaction; those before it stay.
   *
   * @throws MigrationError for files that contradict the history, a migration that fails or that the
   *   role has no rights for, a lock that does not come free
   */
  async up(): Promise<string[]> {
    return this.locked(async (client, migrations) => {
      const statuses = await readStatus(client, migrations);
      refuse(statuses, "edited", "missing", "reordered");
      this.tellNewer(statuses);
      const pending = filesOf(migrations, statuses, "pending");
      await assertRights(client, pending);
      await prepareHistory(client);
      for (const { name, up, checksum } of pending) {
        await runScript(client, up, () =>
          client.query("INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)", [
            name,
            checksum,
          ]),
        );
      }
      return pending.map(({ name }) => name);
    });
  }

  /**
   * Takes the last `steps` migrations back, latest first; returns their names, fewer where fewer are applied.
   *
   * @throws MigrationError as {@link up}, and where newer ones than the files are applied
   */
  async down(steps = 1): Promise<string[]> {
    return this.locked(async (client, migrations) => {
      const statuses = await readStatus(client, migrations);
      refuse(statuses, "edited", "missing", "newer");
      const reverted = filesOf(migrations, statuses, "applied").reverse().slice(0, steps);
      for (const { name, down } of reverted) {
        await runScript(client, down, () =>
          client.query("DELETE FROM schema_migrations WHERE name = $1", [name]),
        );
      }
      return reverted.map(({ name }) => name);
    });
  }

  /** Every migration, on disk or applied, and where it stands; ordered by number. Changes nothing. */
  async status(): Promise<MigrationStatus[]> {
    const migrations = await readMigrations(this.directory);
    return withClient(this.databaseUrl, (client) => readStatus(client, migrations));
  }

  /**
   * Makes sure that all migrations on disk are applied, as they are there. Changes nothing and needs no
   * lock.
   *
   * @throws MigrationError that names all that are not; PendingMigrations where applying them would help
   */
  async assertCurrent(): Promise<void> {
    const statuses = await this.status();
    refuse(statuses, "pending", "edited", "missing", "reordered");
    this.tellNewer(statuses);
  }

  private tellNewer(statuses: readonly MigrationStatus[]): void {
    const names = namesIn(statuses, "newer");
    if (names.length === 0) return;
    this.warn(
      `The database has migrations that are newer than this release: ${names.join(", ")}. Its schema stays as it is.`,
    );
  }

  private async locked<T>(
    use: (client: Client, migrations: readonly Migration[]) => Promise<T>,
  ): Promise<T> {
    const migrations = await readMigrations(this.directory);
    return withClient(this.databaseUrl, async (client) => {
      // Limits of the role are meant for requests.
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
