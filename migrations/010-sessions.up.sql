-- A session of a person begins with a login; a program's token has one, too. Tokens name their session (`sid`), and end
-- with its row.
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  admin_id integer NOT NULL REFERENCES admins ON DELETE CASCADE,
  -- The name of a program's token; null: a person's login.
  program text,
  read_only boolean NOT NULL DEFAULT false,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Up to a minute old; null: a program's token that was never used.
  last_used_at timestamptz(3),
  -- When the password or a second factor was last given; null for programs.
  confirmed_at timestamptz(3),
  -- The end of the newest token, and the latest end of all; a program's token has one end.
  idle_until timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  -- The client's address, and the beginning of its User-Agent.
  address text,
  client text,
  CONSTRAINT sessions_times CHECK (
    least(started_at, last_used_at, confirmed_at, idle_until, ends_at) >= '0001-01-01 00:00:00+00'
    AND greatest(started_at, last_used_at, confirmed_at, idle_until, ends_at) < '10000-01-01 00:00:00+00')
);
CREATE INDEX sessions_of_admin ON sessions (admin_id);
CREATE INDEX sessions_oldest ON sessions (idle_until);

-- All sessions end with a changed password, whoever changes it, and with a deactivation. A login may only hash the same
-- password anew.
CREATE FUNCTION end_sessions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NEW.is_active AND trusted_origin()->>'operation' = 'login' THEN
    RETURN NULL;
  END IF;
  DELETE FROM sessions WHERE admin_id = NEW.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER end_sessions AFTER UPDATE OF password_hash, is_active ON admins
  FOR EACH ROW WHEN (NEW.password_hash IS DISTINCT FROM OLD.password_hash OR (OLD.is_active AND NOT NEW.is_active))
  EXECUTE FUNCTION end_sessions();

-- Entries for programs' tokens that are created, and for what is ended by itself: what ends with a password or an account
-- is told by the account's own entry. Logins, log-outs and what has expired are no entries.
CREATE FUNCTION record_sessions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  origin jsonb := trusted_origin();
BEGIN
  IF pg_trigger_depth() > 1 OR (TG_OP = 'DELETE'
      AND origin->>'operation' NOT IN ('endSession', 'endOtherSessions', 'endProgramToken')) THEN
    RETURN NULL;
  END IF;
  INSERT INTO audit_entries (actor, door, operation, subject, subject_id, changes, address, request_id)
  SELECT coalesce(origin->>'actor', session_user), coalesce(origin->>'door', 'DATABASE'),
    coalesce(origin->>'operation', TG_OP), 'ADMINISTRATOR', admin_id, changes, origin->>'address', origin->>'requestId'
  FROM changed_rows AS changed, LATERAL (
    SELECT jsonb_agg(jsonb_build_object('field', field,
      'before', CASE TG_OP WHEN 'DELETE' THEN value END, 'after', CASE TG_OP WHEN 'INSERT' THEN value END)) AS changes
    FROM (VALUES
      ('session', CASE WHEN program IS NULL THEN changed.id::text END), ('programToken', program),
      ('programToken.readOnly', CASE WHEN program IS NOT NULL THEN read_only::text END),
      ('programToken.endsAt', CASE WHEN program IS NOT NULL THEN text_of(ends_at) END)) AS shown (field, value)
    WHERE value IS NOT NULL) AS fields
  WHERE CASE TG_OP WHEN 'INSERT' THEN program IS NOT NULL ELSE idle_until > now() END
  ORDER BY changed.started_at, changed.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER record_inserted AFTER INSERT ON sessions
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_sessions();
CREATE TRIGGER record_deleted AFTER DELETE ON sessions
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_sessions();

-- As in migration 009.
DO $$
DECLARE
  name regprocedure;
BEGIN
  FOREACH name IN ARRAY '{end_sessions(),record_sessions()}'::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', name);
  END LOOP;
END
$$;
