-- Functions that run with the rights of their owner find tables in the shop's schema, whatever the search_path of whoever
-- changes a row: a restore loads data without one, and a session's temporary table named as one of ours must not take the
-- rows, nor run its own triggers with those rights. And PostgreSQL lets every role call a new function: whoever may call
-- a trigger function can put it on a temporary table, and so write our tables with the rights of the owner. What
-- calculates columns, indexes and checks stays callable, since it runs with the rights of whoever writes the row.
DO $$
DECLARE
  own record;
BEGIN
  FOR own IN
    SELECT oid::regprocedure AS name, prosecdef AS is_definer FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
  LOOP
    IF own.is_definer THEN
      EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', own.name, current_schema());
    END IF;
    IF own.name NOT IN ('searchable(text)'::regprocedure, 'customers_in(jsonb)'::regprocedure,
        'customer_in(jsonb)'::regprocedure) THEN
      EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', own.name);
    END IF;
  END LOOP;
END
$$;
