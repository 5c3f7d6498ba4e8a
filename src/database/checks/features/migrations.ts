import { sharedRows, worksOf, type Feature } from "./feature";

/** How the schema is changed. */
export const migrations: readonly Feature[] = [
  {
    name: "changes of the schema that a rollback undoes",
    neededFor: "migrations, which run whole or not at all",
    trial: async ({ one, place }) => {
      const table = `${place.schema}.${place.prefix}_undone`;
      place.tables.push(table);
      await one.query("BEGIN");
      await one.query(`CREATE TABLE ${table} (id integer)`);
      await one.query("ROLLBACK");
      return worksOf(one, `SELECT to_regclass('${table}') IS NULL AS works`);
    },
  },
  {
    name: "statements that commit what they have done so far",
    neededFor: "migrations that fill new columns",
    byCommands: true,
    trial: async (trial) => {
      const { one, other } = trial;
      const rows = await sharedRows(trial, "filled_rows");
      await one.query(
        `DO $$ BEGIN UPDATE ${rows} SET n = 5 WHERE id = 1; COMMIT; UPDATE ${rows} SET n = 6 WHERE id = 2; END $$`,
      );
      return worksOf(other, `SELECT sum(n) = 11 AS works FROM ${rows}`);
    },
  },
  {
    name: "indexes that are created and dropped beside changes",
    neededFor: "upgrades without a standstill",
    byCommands: true,
    trial: async (trial) => {
      const { one } = trial;
      const rows = await sharedRows(trial, "indexed_rows");
      const index = `${rows}_n`;
      await one.query(
        `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${index.split(".")[1] ?? ""} ON ${rows} (n)`,
      );
      const isValid = await worksOf(
        one,
        `SELECT indisvalid AS works FROM pg_index WHERE indexrelid = '${index}'::regclass`,
      );
      await one.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      return isValid && (await worksOf(one, `SELECT to_regclass('${index}') IS NULL AS works`));
    },
  },
  {
    name: "locks of tables, and an end of the wait for them",
    neededFor: "migrations beside a service, counting of lists",
    trial: async (trial) => {
      const { one, other } = trial;
      const rows = await sharedRows(trial, "locked_table");
      await one.query("BEGIN");
      await one.query(`LOCK TABLE ${rows} IN SHARE ROW EXCLUSIVE MODE`);
      await other.query("BEGIN; SET LOCAL lock_timeout = '50ms'");
      await other.query(
        `DO $$ BEGIN
           LOCK TABLE ${rows} IN ACCESS SHARE MODE NOWAIT;
           LOCK TABLE ${rows} IN ACCESS EXCLUSIVE MODE;
         EXCEPTION WHEN lock_not_available THEN PERFORM set_config('tea_shop.check', 'waited', true);
         END $$`,
      );
      const hasWaited = await worksOf(
        other,
        "SELECT coalesce(current_setting('tea_shop.check', true), '') = 'waited' AS works",
      );
      await other.query("ROLLBACK");
      await one.query("ROLLBACK");
      return hasWaited;
    },
  },
  {
    name: "settings of a role in a database",
    neededFor: "time limits, isolation and search path of the service's role",
    trial: async ({ one }) => {
      const set = (change: string): string =>
        `DO $$ BEGIN EXECUTE format('ALTER ROLE %I IN DATABASE %I ${change}', current_user, current_database()); END $$`;
      const isSet = `SELECT EXISTS (
        SELECT FROM pg_db_role_setting, unnest(setconfig) AS setting WHERE setting = 'extra_float_digits=-15'
          AND setrole = (SELECT oid FROM pg_roles WHERE rolname = current_user)
          AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())) AS works`;
      await one.query("BEGIN");
      await one.query(set("SET extra_float_digits = -15"));
      await one.query(set("SET search_path FROM CURRENT"));
      const works = await worksOf(one, isSet);
      await one.query("ROLLBACK");
      // Not everywhere does a rollback undo it.
      if (await worksOf(one, isSet)) await one.query(set("RESET extra_float_digits"));
      return works;
    },
  },
  {
    name: "functions that not everybody may call, also after their texts are changed",
    neededFor: "all functions",
    trial: [
      "CREATE FUNCTION trial_one() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN RETURN 2; END $$",
      "REVOKE EXECUTE ON FUNCTION trial_one() FROM PUBLIC",
      "DO $$ BEGIN EXECUTE replace(pg_get_functiondef('trial_one()'::regprocedure), 'RETURN 2', 'RETURN 1'); END $$",
      "SELECT trial_one() = 1 AND NOT has_function_privilege('public', 'trial_one()', 'EXECUTE') AS works",
    ],
  },
  {
    name: "catalogues of columns, functions, roles, locks, sequences and extensions",
    neededFor: "audit log, checks at the start, metrics",
    trial: [
      "CREATE TABLE trial_described (id integer GENERATED ALWAYS AS IDENTITY, gone integer, n integer)",
      "ALTER TABLE trial_described DROP COLUMN gone",
      `SELECT (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
           WHERE attrelid = 'trial_described'::regclass AND attnum > 0 AND NOT attisdropped) = '{id,n}'
         AND EXISTS (SELECT FROM pg_sequences WHERE schemaname = current_schema() AND sequencename = 'trial_described_id_seq')
         AND EXISTS (SELECT FROM pg_locks WHERE granted AND NOT pg_backend_pid() = ANY (pg_blocking_pids(pid)))
         AND EXISTS (SELECT FROM pg_available_extension_versions WHERE name = 'pg_trgm')
         AND EXISTS (SELECT FROM pg_proc WHERE pg_get_userbyid(proowner) IS NOT NULL) AS works`,
    ],
  },
];
