-- Subscriptions to the newsletter that wait for a confirmation, and what is kept of it. The audit log names these columns
-- without their values, so an erasure has nothing to look for there.
ALTER TABLE newsletter_subscribers
  ADD COLUMN consented_at timestamptz(3),
  ADD COLUMN consent_address text,
  -- When a confirmation was last asked for, and the version with which the subscription began to wait for one: tokens of
  -- this version and later ones confirm it. Null unless it waits.
  ADD COLUMN requested_at timestamptz(3),
  ADD COLUMN requested_version integer,
  DROP CONSTRAINT newsletter_subscribers_times,
  ADD CONSTRAINT newsletter_subscribers_times
    CHECK (created_at >= '0001-01-01 00:00:00+00' AND created_at < '10000-01-01 00:00:00+00'
      AND consented_at >= '0001-01-01 00:00:00+00' AND consented_at < '10000-01-01 00:00:00+00'
      AND requested_at >= '0001-01-01 00:00:00+00' AND requested_at < '10000-01-01 00:00:00+00');

-- Whoever begins or ends a subscription ends the waiting: a token from before is of no use after it.
CREATE FUNCTION end_request() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.requested_at := NULL;
  NEW.requested_version := NULL;
  RETURN NEW;
END
$$;
REVOKE EXECUTE ON FUNCTION end_request() FROM PUBLIC;

-- Triggers run in the order of their names: before count_version.
CREATE TRIGGER begin_or_end BEFORE UPDATE ON newsletter_subscribers
  FOR EACH ROW WHEN (NEW.is_active <> OLD.is_active) EXECUTE FUNCTION end_request();

CREATE OR REPLACE FUNCTION event_data(row_of newsletter_subscribers) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', row_of.id, 'email', row_of.email, 'isActive', row_of.is_active,
    'createdAt', text_of(row_of.created_at), 'version', row_of.version, 'consentedAt', text_of(row_of.consented_at),
    'consentAddress', row_of.consent_address)
$$;

-- As before, but for subscriptions that wait. Tokens are not stored: *** stands where a message has one.
CREATE OR REPLACE FUNCTION tell_newsletter_subscribers() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  request text := request_of_change();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO events (type, subject, subject_id, version, data, request_id)
    SELECT 'subscription.requested', 'NEWSLETTER_SUBSCRIBER', id, version,
      event_data(ROW(after.*)::newsletter_subscribers)
        || CASE WHEN requested_at IS NULL THEN '{}' ELSE '{"confirmToken": "***"}' END::jsonb, request
    FROM new_rows AS after ORDER BY id;
  ELSIF TG_OP = 'UPDATE' THEN
    WITH changed AS MATERIALIZED (
      SELECT id, after.version, CASE
          WHEN after.is_active AND NOT before.is_active THEN 'subscription.confirmed'
          WHEN before.is_active AND NOT after.is_active THEN 'subscription.ended'
          WHEN before.requested_at IS NOT DISTINCT FROM after.requested_at THEN 'subscription.updated'
          WHEN after.requested_at IS NULL THEN 'subscription.ended'
          ELSE 'subscription.requested' END AS type,
        event_data(ROW(before.*)::newsletter_subscribers) AS past,
        event_data(ROW(after.*)::newsletter_subscribers) AS now
      FROM old_rows AS before FULL JOIN new_rows AS after USING (id)
      WHERE coalesce(after.version <> before.version, false)
    )
    INSERT INTO events (type, subject, subject_id, version, data, request_id)
    SELECT type, 'NEWSLETTER_SUBSCRIBER', id, version,
      now || CASE type WHEN 'subscription.requested' THEN '{"confirmToken": "***"}'
        ELSE jsonb_build_object('changed', ARRAY(
          SELECT name FROM jsonb_object_keys(now) AS name
          WHERE name <> 'version' AND now->name IS DISTINCT FROM past->name ORDER BY name)) END,
      request
    FROM changed ORDER BY id;
  ELSE
    INSERT INTO events (type, subject, subject_id, version, data, request_id)
    SELECT 'subscription.ended', 'NEWSLETTER_SUBSCRIBER', id, version + 1,
      event_data(ROW(before.*)::newsletter_subscribers) || jsonb_build_object('version', version + 1), request
    FROM old_rows AS before ORDER BY id;
  END IF;
  RETURN NULL;
END
$$;
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION tell_newsletter_subscribers() SET search_path = %I, pg_temp', current_schema());
END
$$;
