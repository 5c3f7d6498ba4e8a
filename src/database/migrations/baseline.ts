import { createHash } from "node:crypto";
import type { Client } from "pg";
import { inClientTransaction } from "../connection/with-client";
import { MIGRATE_UP, MigrationError, type Migration } from "./files";

/** The migrations that the baseline, the first files of `migrations/`, has replaced. */
export interface EarlierMigrations {
  readonly first: string;
  /** SHA-256 of a line `<name> <checksum>` for each, in the order of their names, in hexadecimal. */
  readonly digest: string;
  /** The last commit that has their files. */
  readonly commit: string;
}

const EARLIER: EarlierMigrations = {
  first: "001-create-catalogue",
  digest: "6d28915e7cbeec113d5f95ca312d45ef2cc9e846674ea0126bb4e73c898ccfdd",
  commit: "f32cf09f",
};

const BASELINE_END = "009-function-rights";

type Found = "none" | "all" | "some";

/**
 * Records the baseline in a database that has all of the earlier migrations: their schema is that of the baseline. Their
 * rows move to `schema_migrations_before`. Changes nothing in any other database. Afterwards, releases from before the
 * baseline refuse to start on the database.
 *
 * @throws MigrationError if the database has only some of them, or others
 */
export async function adoptBaseline(
  client: Client,
  migrations: readonly Migration[],
  earlier = EARLIER,
): Promise<void> {
  const found = await findEarlier(client, earlier);
  if (found === "none") return;
  if (found === "some") throw incomplete(earlier);
  const baseline = migrations.slice(
    0,
    1 + migrations.findIndex(({ name }) => name === BASELINE_END),
  );
  await inClientTransaction(client, async () => {
    await client.query(
      `ALTER TABLE schema_migrations RENAME TO schema_migrations_before;
       ALTER INDEX schema_migrations_pkey RENAME TO schema_migrations_before_pkey;
       CREATE TABLE schema_migrations (LIKE schema_migrations_before INCLUDING ALL)`,
    );
    await client.query(
      "INSERT INTO schema_migrations (name, checksum) SELECT * FROM unnest($1::text[], $2::text[])",
      [baseline.map(({ name }) => name), baseline.map(({ checksum }) => checksum)],
    );
  });
}

/** @throws MigrationError if the database has earlier migrations; it says what to run */
export async function refuseEarlier(client: Client, earlier = EARLIER): Promise<void> {
  const found = await findEarlier(client, earlier);
  if (found === "some") throw incomplete(earlier);
  if (found === "all") {
    throw new MigrationError(
      `The database has the migrations of an earlier release, which must be recorded anew. Run: ${MIGRATE_UP}`,
    );
  }
}

async function findEarlier(client: Client, { first, digest }: EarlierMigrations): Promise<Found> {
  const { rows: tables } = await client.query(
    "SELECT FROM pg_class WHERE oid = to_regclass('schema_migrations')",
  );
  if (tables.length === 0) return "none";
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT name, checksum FROM schema_migrations ORDER BY name COLLATE "C"`,
  );
  if (rows[0]?.name !== first) return "none";
  const lines = rows.map(({ name, checksum }) => `${name} ${checksum}\n`).join("");
  return createHash("sha256").update(lines).digest("hex") === digest ? "all" : "some";
}

const incomplete = ({ commit }: EarlierMigrations): MigrationError =>
  new MigrationError(
    `The database has some of the migrations of an earlier release, but not all. First run this with commit ${commit}: ${MIGRATE_UP}`,
  );
