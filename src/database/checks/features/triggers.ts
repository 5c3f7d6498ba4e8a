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
      "CREATE TABLE seen (before bigint, after bigint)",
      triggerFunction(
        "see",
        "INSERT INTO seen SELECT (SELECT sum(n) FROM old_rows), (SELECT sum(n) FROM new_rows); RETURN NULL;",
      ),
      "CREATE TRIGGER see AFTER UPDATE ON counted_rows REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION see()",
      TWO_ROWS,
      "UPDATE counted_rows SET n = n + 10",
      "SELECT count(*) = 1 AND min(before) = 3 AND min(after) = 23 AS works FROM seen",
    ],
  },
  {
    name: "triggers that change a row before it is stored",
    neededFor: "versions of products, categories and orders",
    trial: [
      "CREATE TABLE versions (id integer, n integer, version integer NOT NULL DEFAULT 1)",
      triggerFunction(
        "raise",
        "IF to_jsonb(NEW) <> to_jsonb(OLD) THEN NEW.version := OLD.version + 1; END IF; RETURN NEW;",
      ),
      "CREATE TRIGGER raise BEFORE UPDATE ON versions FOR EACH ROW EXECUTE FUNCTION raise()",
      "INSERT INTO versions VALUES (1, 1), (2, 2)",
      "UPDATE versions SET n = 2",
      "SELECT array_agg(version ORDER BY id) = '{2,1}' AS works FROM versions",
    ],
  },
  {
    name: "triggers that ask whether a trigger made the change",
    neededFor: "kept answers of the catalogue beside the price history",
    trial: [
      ROWS,
      "CREATE TABLE seen (n integer)",
      triggerFunction("see", "INSERT INTO seen VALUES (1); RETURN NULL;"),
      triggerFunction("again", "UPDATE counted_rows SET n = n + 1 WHERE id = 2; RETURN NULL;"),
      "CREATE TRIGGER see AFTER UPDATE ON counted_rows FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION see()",
      "CREATE TRIGGER again AFTER UPDATE ON counted_rows FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION again()",
      TWO_ROWS,
      "UPDATE counted_rows SET n = 5 WHERE id = 1",
      "SELECT (SELECT count(*) FROM seen) = 1 AND sum(n) = 8 AS works FROM counted_rows",
    ],
  },
  {
    name: "triggers of TRUNCATE",
    neededFor: "kept totals, audit log that ordinary statements can't empty",
    trial: [
      ROWS,
      "CREATE TABLE seen (n bigint)",
      triggerFunction("see", "INSERT INTO seen SELECT count(*) FROM counted_rows; RETURN NULL;"),
      "CREATE TRIGGER see BEFORE TRUNCATE ON counted_rows FOR EACH STATEMENT EXECUTE FUNCTION see()",
      TWO_ROWS,
      "TRUNCATE counted_rows",
      "SELECT sum(n) = 2 AS works FROM seen",
    ],
  },
  {
    name: "changes of several tables in one statement, which its triggers see",
    neededFor: "placing an order in one statement",
    trial: [
      ROWS,
      "CREATE TABLE parts (row_id integer REFERENCES counted_rows, n integer)",
      "CREATE TABLE seen (n bigint)",
      triggerFunction(
        "see",
        "INSERT INTO seen SELECT sum(parts.n) FROM parts JOIN new_rows ON row_id = id; RETURN NULL;",
      ),
      "CREATE TRIGGER see AFTER INSERT ON counted_rows REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION see()",
      `WITH placed AS (INSERT INTO counted_rows VALUES (1, 1), (2, 2) RETURNING id)
         INSERT INTO parts SELECT id, id * 10 FROM placed`,
      "SELECT sum(n) = 30 AS works FROM seen",
    ],
  },
  {
    name: "functions with the rights of their owner and a search path of their own",
    neededFor: "all triggers",
    trial: [
      "CREATE FUNCTION who() RETURNS text LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS 'SELECT concat(session_user, current_setting(''search_path''))'",
      "SELECT who() = concat(session_user, 'pg_catalog, pg_temp') AS works",
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
