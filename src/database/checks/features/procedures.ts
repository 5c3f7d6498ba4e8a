import { ROWS, TWO_ROWS, type Feature } from "./feature";

/** What functions in PL/pgSQL can do. */
export const procedures: readonly Feature[] = [
  {
    name: "PL/pgSQL: loops over numbers, rows and arrays, and statements that are put together",
    neededFor: "kept totals, migrations",
    trial: [
      ROWS,
      TWO_ROWS,
      `CREATE FUNCTION trial_add(most integer, OUT total bigint, OUT last integer) LANGUAGE plpgsql STABLE AS $$
       DECLARE
         every record;
         whole trial_rows;
         word text;
         found_one bigint;
       BEGIN
         total := 0;
         FOR i IN REVERSE most..1 LOOP
           EXIT WHEN i > 2;
           total := total + i;
         END LOOP;
         FOR every IN SELECT * FROM trial_rows ORDER BY id LOOP
           total := total + every.n;
         END LOOP;
         FOREACH word IN ARRAY ARRAY['a', 'bb'] LOOP
           CASE word WHEN 'a' THEN total := total + 10; ELSE total := total + 20; END CASE;
         END LOOP;
         IF total > 0 THEN EXECUTE format('SELECT sum(n) FROM %I WHERE id = $1 AND %L IS NOT NULL', 'trial_rows', 'x')
           INTO found_one USING 2; END IF;
         PERFORM FROM trial_rows WHERE id = 3;
         IF FOUND THEN RETURN; ELSIF total < 0 THEN total := 0; END IF;
         SELECT * INTO whole FROM trial_rows WHERE id = 1;
         total := total + found_one + whole.n;
         last := total;
       END $$`,
      "CREATE OR REPLACE FUNCTION trial_sum() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT total FROM trial_add(2)); END $$",
      "SELECT trial_sum() = 39 AS works",
    ],
  },
  {
    name: "PL/pgSQL: errors that are raised with a code, and caught",
    neededFor: "the audit log's refusals, migrations",
    trial: [
      ROWS,
      `DO $$ BEGIN
         BEGIN
           INSERT INTO trial_rows VALUES (1, 1);
           RAISE EXCEPTION 'no' USING ERRCODE = 'insufficient_privilege';
         EXCEPTION WHEN insufficient_privilege THEN INSERT INTO trial_rows VALUES (2, 2);
         END;
       END $$`,
      "SELECT array_agg(id) = '{2}' AS works FROM trial_rows",
    ],
  },
  {
    name: "functions of whole rows, one for each table",
    neededFor: "the data of events",
    trial: [
      ROWS,
      TWO_ROWS,
      "CREATE TABLE trial_others (n integer)",
      "CREATE FUNCTION trial_data(trial_rows) RETURNS jsonb LANGUAGE sql STABLE RETURN jsonb_build_object('n', ($1).n)",
      "CREATE FUNCTION trial_data(trial_others) RETURNS jsonb LANGUAGE sql STABLE RETURN '{}'::jsonb",
      `SELECT bool_and(trial_data(ROW(each.*)::trial_rows) = jsonb_build_object('n', n)
         AND trial_data(each) - 'n' = '{}') AS works FROM trial_rows AS each`,
    ],
  },
];
