-- Extensions, settings of the role, and what more than one noun of the shop uses.

-- Both are trusted: the owner of the database may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- Set for the role, since a pooler in transaction mode lets no client set them: time-outs for statements and
-- transactions that a client no longer waits for (migrations and seeding switch them off), the isolation level, as a
-- stricter one fails changes that meet, and the schema of the tables. `tea migrate up` sets those that are missing.
DO $$
BEGIN
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = %L',
    current_user, current_database(), '5s');
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET idle_in_transaction_session_timeout = %L',
    current_user, current_database(), '5s');
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET default_transaction_isolation = %L',
    current_user, current_database(), 'read committed');
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET search_path FROM CURRENT',
    current_user, current_database());
END
$$;

-- A time as GraphQL shows it.
CREATE FUNCTION text_of(at timestamptz) RETURNS text LANGUAGE sql STABLE
  RETURN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- The write context: where the present change comes from. The service sets it at the beginning of a changing transaction:
-- a JSON object with door, operation and, where there are any, actor, address, requestId and source. Null in sessions of
-- others: whatever they say, they are the DATABASE. These three are only for functions with the rights of the owner,
-- which is the service's role.
CREATE FUNCTION trusted_origin() RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF session_user = current_user THEN
    RETURN nullif(current_setting('tea_shop.origin', true), '')::jsonb;
  END IF;
  RETURN NULL;
END
$$;

-- Whether the service makes the present change.
CREATE FUNCTION is_by_service() RETURNS boolean LANGUAGE sql STABLE
  RETURN session_user = current_user AND coalesce(current_setting('tea_shop.origin', true), '') <> '';

CREATE FUNCTION request_of_change() RETURNS text LANGUAGE sql STABLE
  RETURN CASE WHEN is_by_service() THEN current_setting('tea_shop.origin')::jsonb->>'requestId' END;

-- Versions, events, prices and entries of the audit log refer to the id of their subject, so it never changes.
CREATE FUNCTION refuse_changed_id() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the id of a row of % can not be changed', TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation', HINT = 'Insert a new row, and delete this one.';
END
$$;

-- A version is 1 when the row is created, and one more with each change that a client can see, whoever makes it. The
-- arguments of the trigger are columns that count as no change: a client does not see them, or, like updated_at, sees
-- them only change with others. Whoever changes a row holds its lock, so versions follow the order of commits. A trigger
-- may raise the version itself, for items of an order. Rows are compared as they are where that is enough, because
-- comparing them as JSON takes three times as long. The search_path is not that of whoever changes the row, where a
-- function of theirs may stand before PostgreSQL's.
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  is_changed boolean;
  is_raised boolean := pg_trigger_depth() > 1 AND NEW.version <> OLD.version;
  unchanged record := OLD;
BEGIN
  NEW.version := OLD.version;
  IF TG_ARGV <@ '{version,updated_at,search_text}' THEN
    IF 'updated_at' = ANY (TG_ARGV) THEN unchanged.updated_at := NEW.updated_at; END IF;
    IF 'search_text' = ANY (TG_ARGV) THEN unchanged.search_text := NEW.search_text; END IF;
    is_changed := unchanged IS DISTINCT FROM NEW;
  ELSE
    is_changed := to_jsonb(NEW) - TG_ARGV IS DISTINCT FROM to_jsonb(OLD) - TG_ARGV;
  END IF;
  IF is_raised OR is_changed THEN
    NEW.version := OLD.version + 1;
  END IF;
  RETURN NEW;
END
$$;
