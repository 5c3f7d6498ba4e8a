import { DatabaseError, type Client } from "pg";
import { messageOf } from "../../vocabulary/errors";
import { withClient } from "../connection/with-client";

/**
 * Checks what makes indexes give wrong answers, or none: another version of a collation, as after an upgrade of the
 * operating system below the database, and indexes that are not valid. `warn` receives what is wrong with the
 * statements that fix it, and what the role may not check.
 */
export async function checkIndexes(
  databaseUrl: string,
  warn: (message: string) => void,
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (const { subject, check } of checks) {
      const message = await check(client).catch((error: unknown) => {
        if (!(error instanceof DatabaseError)) throw error;
        return `${subject} can't be checked: ${messageOf(error)}`;
      });
      if (message !== undefined) warn(message);
    }
  });
}

const checks = [
  { subject: "The versions of collations", check: changedCollations },
  { subject: "Whether indexes are valid", check: invalidIndexes },
];

/** On one line, because the log is JSON. The time limit of the service's role is too short for building an index. */
const advice = (statements: readonly string[]): string =>
  `run one after the other: ${["SET statement_timeout = 0;", ...statements].join(" ")}`;

interface Found {
  readonly name: string;
  readonly fix: string | null;
}

/** PostgreSQL refuses to refresh a version where the new system has none. */
async function changedCollations(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<Found & { readonly reindex: string }>(
    `WITH used AS MATERIALIZED (
       SELECT DISTINCT refobjid AS oid FROM pg_depend WHERE refclassid = 'pg_collation'::regclass
     ),
     versions AS (
       SELECT 0 AS place, 'the database''s own' AS name, datcollversion AS recorded,
         pg_database_collation_actual_version(oid) AS actual,
         format('ALTER DATABASE %I REFRESH COLLATION VERSION;', datname) AS fix
       FROM pg_database WHERE datname = current_database()
       UNION ALL
       SELECT 1, oid::regcollation::text, collversion, pg_collation_actual_version(oid),
         format('ALTER COLLATION %s REFRESH VERSION;', oid::regcollation)
       FROM used JOIN pg_collation USING (oid)
     )
     SELECT format('%s (from %s to %s)', name, recorded, coalesce(actual, 'none')) AS name,
       CASE WHEN actual IS NOT NULL THEN fix END AS fix,
       format('REINDEX DATABASE CONCURRENTLY %I;', current_database()) AS reindex
     FROM versions WHERE recorded IS NOT NULL AND recorded IS DISTINCT FROM actual
     ORDER BY place, versions.name COLLATE "C"`,
  );
  const [first] = rows;
  if (!first) return undefined;
  const names = rows.map(({ name }) => name).join(", ");
  const fixes = rows.flatMap(({ fix }) => fix ?? []);
  return `The versions of these collations have changed below the database: ${names}. So indexes of texts may be in the wrong order: rows are not found, or stored twice. As a superuser, ${advice([first.reindex, ...fixes])}`;
}

/**
 * Only of tables that the service finds by their names, and without those that are being built. Copies that a
 * REINDEX CONCURRENTLY has left behind are dropped.
 */
async function invalidIndexes(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<Found>(
    `SELECT indexrelid::regclass::text AS name,
       format(CASE WHEN relname ~ '_cc(new|old)[0-9]*$' THEN 'DROP' ELSE 'REINDEX' END
         || ' INDEX CONCURRENTLY %s;', indexrelid::regclass) AS fix
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE NOT (indisvalid AND indisready) AND pg_table_is_visible(indrelid)
       AND NOT EXISTS (
         SELECT FROM pg_stat_progress_create_index AS building
         WHERE building.relid = indrelid AND building.datname = current_database())
     ORDER BY relname COLLATE "C"`,
  );
  if (rows.length === 0) return undefined;
  const names = rows.map(({ name }) => name).join(", ");
  return `These indexes are not valid, so no query uses them: ${names}. As their owner, ${advice(rows.flatMap(({ fix }) => fix ?? []))}`;
}
