-- Gives a database to the ordinary role tea_shop, with all that the superuser who runs this owns in it, and lets no
-- other role connect. Run it in that database, with the role's password in the setting tea_shop.password:
--   PGOPTIONS="-c tea_shop.password=…" psql --set=ON_ERROR_STOP=1 --file=deploy/own-database.sql tea_shop
-- Whoever runs it again changes nothing, but for another password. npm start and compose.yaml run it at each start, so
-- what an earlier release has made as a superuser is taken over.
DO $$
DECLARE
  kept record;
  statement text;
BEGIN
  -- Two starts at once would both create the role.
  PERFORM pg_advisory_xact_lock(7238103);
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tea_shop') THEN
    CREATE ROLE tea_shop;
  END IF;
  EXECUTE format(
    'ALTER ROLE tea_shop LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD %L',
    current_setting('tea_shop.password'));
  EXECUTE format('ALTER DATABASE %I OWNER TO tea_shop', current_database());
  -- Whoever may connect can take advisory locks, for which orders and imports would wait.
  EXECUTE format('REVOKE CONNECT ON DATABASE %I FROM PUBLIC', current_database());

  -- REASSIGN OWNED refuses the superuser that a cluster was created with. Sequences of columns, indexes and the
  -- types of rows follow their tables; what belongs to an extension stays with it.
  FOR statement IN
    WITH schemas AS (
      SELECT oid, nspname, nspowner FROM pg_namespace
      WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
    ),
    objects AS (
      SELECT 'pg_namespace'::regclass AS catalog, oid, 'SCHEMA' AS kind, quote_ident(nspname) AS name,
        nspowner AS owner FROM schemas
      UNION ALL
      SELECT 'pg_class'::regclass, c.oid, 'TABLE', format('%I.%I', nspname, relname), relowner
      FROM pg_class AS c JOIN schemas ON schemas.oid = relnamespace
      WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid
          AND refclassid = 'pg_class'::regclass AND refobjsubid > 0 AND deptype IN ('a', 'i'))
      UNION ALL
      SELECT 'pg_proc'::regclass, p.oid, 'ROUTINE',
        format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(p.oid)), proowner
      FROM pg_proc AS p JOIN schemas ON schemas.oid = pronamespace
      UNION ALL
      SELECT 'pg_type'::regclass, t.oid, 'TYPE', format('%I.%I', nspname, typname), typowner
      FROM pg_type AS t JOIN schemas ON schemas.oid = typnamespace
      WHERE typtype IN ('e', 'd', 'r')
        OR typtype = 'c' AND EXISTS (SELECT FROM pg_class AS c WHERE c.oid = typrelid AND relkind = 'c')
    )
    SELECT format('ALTER %s %s OWNER TO tea_shop', kind, name) FROM objects
    WHERE owner = current_user::regrole AND NOT EXISTS (
      SELECT FROM pg_depend WHERE classid = catalog AND objid = objects.oid AND deptype = 'e')
  LOOP
    EXECUTE statement;
  END LOOP;

  -- The settings that migrations have given the superuser for this database, such as its time-outs.
  FOR kept IN
    SELECT split_part(setting, '=', 1) AS name, substr(setting, strpos(setting, '=') + 1) AS value
    FROM pg_db_role_setting AS s, unnest(setconfig) AS setting
    WHERE setrole = current_user::regrole
      AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND NOT EXISTS (
        SELECT FROM pg_db_role_setting AS own, unnest(own.setconfig) AS own_setting
        WHERE own.setrole = 'tea_shop'::regrole AND own.setdatabase = s.setdatabase
          AND split_part(own_setting, '=', 1) = split_part(setting, '=', 1))
  LOOP
    PERFORM set_config(kept.name, kept.value, true);
    EXECUTE format('ALTER ROLE tea_shop IN DATABASE %I SET %I FROM CURRENT', current_database(), kept.name);
  END LOOP;
END
$$;
