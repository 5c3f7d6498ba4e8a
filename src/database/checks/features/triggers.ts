import { ROWS, TWO_ROWS, worksOf, type Feature } from "./feature";

/** A function of a trigger. */
const triggerFunction = (name: string, body: string): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`;

/** What triggers and their functions can do. */
export const triggers: readonly Feature[] = [
  {
    name: "triggers of statements with transition tables",
    neededFor: "kept totals, audit log, events",
    trial: [
      ROWS,
      "CREATE TABLE trial_seen (before bigint, after bigint)",
      triggerFunction(
        "trial_see",
        `INSERT INTO trial_seen SELECT sum(trial_old.n), sum(trial_new.n)
         FROM trial_old FULL JOIN trial_new USING (id)
         WHERE id IN (SELECT id FROM (
           (TABLE trial_old EXCEPT TABLE trial_new) UNION ALL (TABLE trial_new EXCEPT TABLE trial_old)) AS changed);
         RETURN NULL;`,
      ),
      `CREATE TRIGGER trial_see AFTER UPDATE ON trial_rows REFERENCING OLD TABLE AS trial_old NEW TABLE AS trial_new
         FOR EACH STATEMENT EXECUTE FUNCTION trial_see()`,
      TWO_ROWS,
      "UPDATE trial_rows SET n = 12",
      "SELECT count(*) = 1 AND min(before) = 3 AND min(after) = 24 AS works FROM trial_seen",
    ],
  },
  {
    name: "triggers that change a row before it is stored",
    neededFor: "versions of products, categories and orders",
    trial: [
      "CREATE TABLE trial_versions (id integer, n integer, version integer NOT NULL DEFAULT 1)",
      triggerFunction(
        "trial_raise",
        `IF to_jsonb(NEW) - TG_ARGV IS DISTINCT FROM to_jsonb(OLD) - TG_ARGV THEN
           NEW.version := OLD.version + 1; END IF; RETURN NEW;`,
      ),
      `CREATE TRIGGER trial_raise BEFORE UPDATE ON trial_versions
         FOR EACH ROW EXECUTE FUNCTION trial_raise('version', 'id')`,
      "INSERT INTO trial_versions VALUES (1, 1), (2, 2)",
      "UPDATE trial_versions SET id = id + 2, n = 2",
      "SELECT array_agg(version ORDER BY id) = '{2,1}' AS works FROM trial_versions",
    ],
  },
  {
    name: "triggers of some columns, and on a condition",
    neededFor: "customers' addresses, names of bought products",
    trial: [
      ROWS,
      "CREATE TABLE trial_seen (n integer)",
      triggerFunction("trial_see", "INSERT INTO trial_seen VALUES (NEW.n); RETURN NULL;"),
      "CREATE TRIGGER trial_see AFTER UPDATE OF n ON trial_rows FOR EACH ROW WHEN (NEW.n > 5) EXECUTE FUNCTION trial_see()",
      TWO_ROWS,
      "UPDATE trial_rows SET id = id + 2",
      "UPDATE trial_rows SET n = id * 2",
      "SELECT array_agg(n ORDER BY n) = '{6,8}' AS works FROM trial_seen",
    ],
  },
  {
    name: "triggers that know their table and what happens to it",
    neededFor: "audit log, events",
    trial: [
      ROWS,
      "CREATE TABLE trial_seen (n bigint, text text)",
      triggerFunction(
        "trial_see",
        `EXECUTE format('INSERT INTO trial_seen SELECT count(*), $1 FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME)
           USING concat(TG_OP, TG_ARGV[0], TG_RELID = 'trial_rows'::regclass); RETURN NULL;`,
      ),
      `CREATE TRIGGER trial_see AFTER INSERT OR UPDATE OR DELETE ON trial_rows
         FOR EACH STATEMENT EXECUTE FUNCTION trial_see(' of ')`,
      TWO_ROWS,
      "DELETE FROM trial_rows WHERE id = 1",
      "SELECT array_agg(n || text ORDER BY n DESC) = '{2INSERT of t,1DELETE of t}' AS works FROM trial_seen",
    ],
  },
  {
    name: "triggers that ask whether a trigger made the change",
    neededFor: "kept answers of the catalogue beside the price history",
    trial: [
      ROWS,
      "CREATE TABLE trial_seen (n integer)",
      triggerFunction("trial_see", "INSERT INTO trial_seen VALUES (1); RETURN NULL;"),
      triggerFunction("trial_again", "UPDATE trial_rows SET n = n + 1 WHERE id = 2; RETURN NULL;"),
      "CREATE TRIGGER trial_see AFTER UPDATE ON trial_rows FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION trial_see()",
      "CREATE TRIGGER trial_again AFTER UPDATE ON trial_rows FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION trial_again()",
      TWO_ROWS,
      "UPDATE trial_rows SET n = 5 WHERE id = 1",
      "SELECT (SELECT count(*) FROM trial_seen) = 1 AND sum(n) = 8 AS works FROM trial_rows",
    ],
  },
  {
    name: "triggers of TRUNCATE, also in sessions that replicate",
    neededFor:
      "kept totals, audit log that ordinary statements can't empty, kept answers of the catalogue",
    trial: [
      ROWS,
      "CREATE TABLE trial_seen (n bigint)",
      triggerFunction(
        "trial_see",
        "INSERT INTO trial_seen SELECT count(*) FROM trial_rows; RETURN NULL;",
      ),
      "CREATE TRIGGER trial_see BEFORE TRUNCATE ON trial_rows FOR EACH STATEMENT EXECUTE FUNCTION trial_see()",
      "ALTER TABLE trial_rows ENABLE ALWAYS TRIGGER trial_see",
      TWO_ROWS,
      "TRUNCATE trial_rows",
      `SELECT sum(n) = 2 AND (SELECT tgenabled FROM pg_trigger WHERE tgname = 'trial_see') = 'A' AS works
       FROM trial_seen`,
    ],
  },
  {
    name: "changes of several tables in one statement, which its triggers see",
    neededFor: "placing an order in one statement",
    trial: [
      ROWS,
      "CREATE TABLE trial_parts (row_id integer REFERENCES trial_rows, n integer)",
      "CREATE TABLE trial_seen (n bigint)",
      triggerFunction(
        "trial_see",
        "INSERT INTO trial_seen SELECT sum(trial_parts.n) FROM trial_parts JOIN trial_new ON row_id = id; RETURN NULL;",
      ),
      "CREATE TRIGGER trial_see AFTER INSERT ON trial_rows REFERENCING NEW TABLE AS trial_new FOR EACH STATEMENT EXECUTE FUNCTION trial_see()",
      `WITH placed AS (INSERT INTO trial_rows VALUES (1, 1), (2, 2) RETURNING id)
         INSERT INTO trial_parts SELECT id, id * 10 FROM placed`,
      "SELECT sum(n) = 30 AS works FROM trial_seen",
    ],
  },
  {
    name: "functions with the rights of their owner and settings of their own",
    neededFor: "all triggers",
    trial: [
      `CREATE FUNCTION trial_who() RETURNS text LANGUAGE sql SECURITY DEFINER
         SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET timezone = 'UTC'
         AS 'SELECT concat(session_user, current_setting(''search_path''), current_setting(''enable_seqscan''))'`,
      "ALTER FUNCTION trial_who() SET search_path FROM CURRENT",
      "SELECT trial_who() = concat(session_user, current_setting('search_path'), 'off') AS works",
    ],
  },
  {
    name: "settings of a transaction that statements set and triggers read",
    neededFor: "who made a change, in the audit log",
    trial: async ({ one }) => {
      await one.query("BEGIN");
      await one.query("SELECT set_config('tea_shop.check', 'set', true)");
      const isSet = await worksOf(
        one,
        "SELECT current_setting('tea_shop.check', true) = 'set' AS works",
      );
      await one.query("COMMIT");
      const isGone = await worksOf(
        one,
        "SELECT coalesce(current_setting('tea_shop.check', true), '') = '' AS works",
      );
      return isSet && isGone;
    },
  },
];
