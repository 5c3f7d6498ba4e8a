import type { Client } from "pg";
import { MIGRATE_UP, MigrationError, numberOf, type Migration } from "./files";

/**
 * - `applied`: applied, and its up file has not changed since.
 * - `pending`: not applied, and later than all applied migrations.
 * - `edited`: applied, but its up file has changed since.
 * - `missing`: applied, but not on disk.
 * - `newer`: applied, not on disk, and later than all migrations on disk.
 * - `reordered`: not applied, although a later migration is.
 */
export type MigrationState = "applied" | "pending" | "edited" | "missing" | "newer" | "reordered";

export interface MigrationStatus {
  readonly name: string;
  readonly state: MigrationState;
  readonly appliedAt: Date | undefined;
}

interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly appliedAt: Date;
}

/** Creates the table of applied migrations if it does not exist. */
export async function prepareHistory(client: Client): Promise<void> {
  // IF NOT EXISTS alone would need the right to create tables even if the table exists.
  if (await hasHistory(client)) return;
  await client.query(
    `CREATE TABLE schema_migrations (
       name text PRIMARY KEY,
       checksum text NOT NULL,
       applied_at timestamptz(3) NOT NULL DEFAULT now()
     )`,
  );
}

/** Compares the files with the applied migrations. The result is ordered by number; nothing is changed. */
export async function readStatus(
  client: Client,
  migrations: readonly Migration[],
): Promise<MigrationStatus[]> {
  const applied = new Map((await readApplied(client)).map((row) => [row.name, row]));
  const lastApplied = Math.max(-1, ...[...applied.keys()].map(numberOf));
  // A release without any migration is broken, not older, so no applied migration counts as newer.
  const lastKnown = migrations.at(-1)?.number ?? Infinity;
  const known = migrations.map(({ name, number, checksum }): MigrationStatus => {
    const row = applied.get(name);
    applied.delete(name);
    if (!row) {
      return { name, state: number > lastApplied ? "pending" : "reordered", appliedAt: undefined };
    }
    const state = row.checksum === checksum ? "applied" : "edited";
    return { name, state, appliedAt: row.appliedAt };
  });
  const unknown = [...applied.values()].map(({ name, appliedAt }): MigrationStatus => {
    return { name, state: numberOf(name) > lastKnown ? "newer" : "missing", appliedAt };
  });
  return [...known, ...unknown].sort((one, other) => numberOf(one.name) - numberOf(other.name));
}

const refusals = {
  edited: (name: string) => `${name}.up.sql was edited after it was applied`,
  missing: (name: string) => `${name} is applied, but its files are missing`,
  newer: (name: string) =>
    `${name} is newer than this release; revert it with the release that has it`,
  reordered: (name: string) => `${name} is not applied, but a later migration is`,
} satisfies Partial<Record<MigrationState, (name: string) => string>>;

export const namesIn = (statuses: readonly MigrationStatus[], state: MigrationState): string[] =>
  statuses.filter((status) => status.state === state).map(({ name }) => name);

/** @throws MigrationError if migrations are in one of these states, with a line for each */
export function refuse(
  statuses: readonly MigrationStatus[],
  ...states: readonly (keyof typeof refusals)[]
): void {
  const errors = statuses.flatMap(({ name, state }) => {
    const found = states.find((each) => each === state);
    return found === undefined ? [] : [refusals[found](name)];
  });
  if (errors.length > 0) throw new MigrationError(errors.join("\n"));
}

/** @throws MigrationError if migrations are pending; it says what to run */
export function refusePending(statuses: readonly MigrationStatus[]): void {
  const names = namesIn(statuses, "pending");
  const [first, last] = [names[0], names.at(-1)];
  if (first === undefined) return;
  const which =
    first === last
      ? `1 migration is not applied: ${first}`
      : `${names.length} migrations are not applied: ${first} to ${last}`;
  throw new MigrationError(`${which}. Run: ${MIGRATE_UP}`);
}

async function readApplied(client: Client): Promise<AppliedMigration[]> {
  if (!(await hasHistory(client))) return [];
  const { rows } = await client.query<AppliedMigration>(
    `SELECT name, checksum, applied_at AS "appliedAt" FROM schema_migrations`,
  );
  return rows;
}

async function hasHistory(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS present",
  );
  return rows[0]?.present === true;
}
