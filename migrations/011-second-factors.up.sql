-- What administrators show besides their passwords.
CREATE TABLE one_time_codes (
  admin_id integer PRIMARY KEY REFERENCES admins ON DELETE CASCADE,
  -- Encrypted; null until the first ones are confirmed. Those that a code is still to confirm stand beside it.
  secret text,
  pending_secret text,
  -- The last step of 30 s whose code was used.
  last_step bigint NOT NULL DEFAULT 0,
  confirmed_at timestamptz(3),
  CONSTRAINT one_time_codes_times
    CHECK (confirmed_at >= '0001-01-01 00:00:00+00' AND confirmed_at < '10000-01-01 00:00:00+00')
);

-- Each is deleted when it is used.
CREATE TABLE recovery_codes (
  admin_id integer NOT NULL REFERENCES admins ON DELETE CASCADE,
  digest bytea NOT NULL,
  PRIMARY KEY (admin_id, digest)
);

CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  admin_id integer NOT NULL REFERENCES admins ON DELETE CASCADE,
  credential_id bytea NOT NULL CONSTRAINT passkeys_credential_id_key UNIQUE,
  public_key bytea NOT NULL,
  -- How often the authenticator says it was used; many always say 0.
  counter bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  last_used_at timestamptz(3),
  CONSTRAINT passkeys_times CHECK (
    least(created_at, last_used_at) >= '0001-01-01 00:00:00+00'
    AND greatest(created_at, last_used_at) < '10000-01-01 00:00:00+00')
);
CREATE INDEX passkeys_of_admin ON passkeys (admin_id);

-- What authenticators have signed once, until it expires.
CREATE TABLE used_challenges (
  nonce bytea PRIMARY KEY,
  ends_at timestamptz(3) NOT NULL
);
CREATE INDEX used_challenges_oldest ON used_challenges (ends_at);

-- Entries for second factors that are set up, replaced or ended, with no secret: of a passkey they show the name, of
-- codes since when there are any. What a login uses up is no entry, nor is what goes with its account.
CREATE FUNCTION record_second_factor() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  origin jsonb := trusted_origin();
  before text := to_jsonb(OLD)->>TG_ARGV[1];
  after text := to_jsonb(NEW)->>TG_ARGV[1];
BEGIN
  IF pg_trigger_depth() > 1 OR coalesce(before, after) IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_ARGV[1] LIKE '%_at' THEN
    before := text_of(before::timestamptz);
    after := text_of(after::timestamptz);
  END IF;
  INSERT INTO audit_entries (actor, door, operation, subject, subject_id, changes, address, request_id)
  VALUES (coalesce(origin->>'actor', session_user), coalesce(origin->>'door', 'DATABASE'),
    coalesce(origin->>'operation', TG_OP), 'ADMINISTRATOR', coalesce(NEW.admin_id, OLD.admin_id),
    jsonb_build_array(jsonb_build_object('field', TG_ARGV[0], 'before', before, 'after', after)),
    origin->>'address', origin->>'requestId');
  RETURN NULL;
END
$$;

CREATE TRIGGER record_changes AFTER INSERT OR UPDATE OF confirmed_at OR DELETE ON one_time_codes
  FOR EACH ROW EXECUTE FUNCTION record_second_factor('oneTimeCodes', 'confirmed_at');
CREATE TRIGGER record_changes AFTER INSERT OR UPDATE OF admin_id, credential_id, public_key, name OR DELETE ON passkeys
  FOR EACH ROW EXECUTE FUNCTION record_second_factor('passkey', 'name');

-- The service deletes recovery codes when they are used, and with the one-time codes.
CREATE FUNCTION record_recovery_codes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  origin jsonb := trusted_origin();
BEGIN
  IF pg_trigger_depth() > 1 OR (TG_OP = 'DELETE' AND origin IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  INSERT INTO audit_entries (actor, door, operation, subject, subject_id, changes, address, request_id)
  SELECT coalesce(origin->>'actor', session_user), coalesce(origin->>'door', 'DATABASE'),
    coalesce(origin->>'operation', TG_OP), 'ADMINISTRATOR', admin_id,
    jsonb_build_array(jsonb_build_object('field', 'recoveryCodes',
      'before', CASE TG_OP WHEN 'DELETE' THEN count(*)::text END,
      'after', CASE TG_OP WHEN 'INSERT' THEN count(*)::text END)),
    origin->>'address', origin->>'requestId'
  FROM changed_rows GROUP BY admin_id ORDER BY admin_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER record_inserted AFTER INSERT ON recovery_codes
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_recovery_codes();
CREATE TRIGGER record_deleted AFTER DELETE ON recovery_codes
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_recovery_codes();

-- As in migration 009.
DO $$
DECLARE
  name regprocedure;
BEGIN
  FOREACH name IN ARRAY '{record_second_factor(),record_recovery_codes()}'::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', name);
  END LOOP;
END
$$;
