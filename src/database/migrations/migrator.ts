import path from "node:path";
import { DatabaseError, type Client } from "pg";
import type { MigrationSettings } from "../../config/settings";
import { MigrationError } from "./error";
import { readMigrations } from "./files";
import { assertRights } from "./rights";
import { prepareHistory, readStatus, refuse, type MigrationStatus } from "./history";
import { inClientTransaction, withClient } from "../with-client";

export { MigrationError } from "./error";
export type { MigrationStatus } from "./history";

/** Where the migrations are and what they are applied to. */
export interface MigratorOptions extends MigrationSettings {
  /** Folder of the SQL files; the package's own by default. */
  readonly directory?: string;
  /** Longest wait for another runner, in milliseconds; a minute by default. */
  readonly lockTimeout?: number;
}

/** From `src/database/migrations` as well as from `dist/database/migrations`. */
const DIRECTORY = path.join(__dirname, "../../../migrations");

/** Held for as long as a runner is at work; any number that nothing else in this database locks. */
const LOCK = 7_238_002;

const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Applies the SQL files of `migrations/`, each in one transaction together with its row in
 * `schema_migrations`. Runners that start at once wait for each other.
 */
export class Migrator {
  private readonly databaseUrl: string;
  private readonly directory: string;
  private readonly lockTimeout: number;

  constructor({ databaseUrl, directory = DIRECTORY, lockTimeout = 60_000 }: MigratorOptions) {
    this.databaseUrl = databaseUrl;
    this.directory = directory;
    this.lockTimeout = lockTimeout;
  }

  /**
   * Applies what is pending, in order; returns the names of what was applied. A migration that fails
   * leaves nothing behind; those before it stay.
   *
   * @throws MigrationError for files that contradict the history, a migration that fails or that the
   *   role has no rights for, a lock that does not come free
   */
  async up(): Promise<string[]> {
    const migrations = await readMigrations(this.directory);
    return this.locked(async (client) => {
      const statuses = await readStatus(client, migrations);
      refuse(statuses, "edited", "missing", "reordered");
      const pending = migrations.filter(({ name }) => stateOf(statuses, name) === "pending");
      await assertRights(client, pending);
      await prepareHistory(client);
      for (const migration of pending) {
        await inClientTransaction(client, async () => {
          await runFile(client, `${migration.name}.up.sql`, migration.up);
          await client.query("INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)", [
            migration.name,
            migration.checksum,
          ]);
        });
      }
      return pending.map(({ name }) => name);
    });
  }

  /**
   * Takes the last `steps` migrations back, latest first; returns their names, fewer where fewer are applied.
   *
   * @throws MigrationError as {@link up}
   */
  async down(steps = 1): Promise<string[]> {
    const migrations = await readMigrations(this.directory);
    return this.locked(async (client) => {
      const statuses = await readStatus(client, migrations);
      refuse(statuses, "edited", "missing");
      const reverted = migrations
        .filter(({ name }) => stateOf(statuses, name) === "applied")
        .reverse()
        .slice(0, steps);
      for (const migration of reverted) {
        await inClientTransaction(client, async () => {
          await runFile(client, `${migration.name}.down.sql`, migration.down);
          await client.query("DELETE FROM schema_migrations WHERE name = $1", [migration.name]);
        });
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
   * Makes sure that exactly the migrations on disk are applied. Changes nothing and needs no lock.
   *
   * @throws MigrationError that names all that are not
   */
  async assertCurrent(): Promise<void> {
    refuse(await this.status(), "pending", "edited", "missing", "reordered");
  }

  private async locked<T>(use: (client: Client) => Promise<T>): Promise<T> {
    return withClient(this.databaseUrl, async (client) => {
      try {
        await client.query(`SET lock_timeout = ${this.lockTimeout}`);
        await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
      } catch (error) {
        if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
        const seconds = this.lockTimeout / 1000;
        throw new MigrationError(
          `Another migration has been running for more than ${seconds} s; try again when it has ended`,
          { cause: error },
        );
      }
      // Limits of the role are meant for requests.
      await client.query("SET lock_timeout = 0; SET statement_timeout = 0");
      return use(client);
    });
  }
}

const stateOf = (statuses: readonly MigrationStatus[], name: string) =>
  statuses.find((status) => status.name === name)?.state;

async function runFile(client: Client, file: string, statements: string): Promise<void> {
  try {
    await client.query(statements);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`${file}${lineOf(error, statements)}: ${reason}`, { cause: error });
  }
}

/** The line that PostgreSQL points at, as `:12`; nothing where it points nowhere. */
function lineOf(error: unknown, statements: string): string {
  const position = error instanceof DatabaseError ? Number(error.position) : NaN;
  return position > 0 ? `:${statements.slice(0, position).split("\n").length}` : "";
}

const sqlState = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;
