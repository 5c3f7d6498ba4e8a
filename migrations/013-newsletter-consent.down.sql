DROP TRIGGER begin_or_end ON newsletter_subscribers;
DROP FUNCTION end_request();

CREATE OR REPLACE FUNCTION tell_newsletter_subscribers() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      DECLARE
        request text := request_of_change();
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO events (type, subject, subject_id, version, data, request_id)
          SELECT 'subscription.requested', 'NEWSLETTER_SUBSCRIBER', id, version, event_data(ROW(after.*)::newsletter_subscribers), request
          FROM new_rows AS after ORDER BY id;
        ELSIF TG_OP = 'UPDATE' THEN
          WITH changed AS MATERIALIZED (
            SELECT CASE
      WHEN before.is_active = after.is_active THEN 'subscription.updated'
      WHEN after.is_active THEN 'subscription.confirmed' ELSE 'subscription.ended' END AS type, id, after.version, '{}'::jsonb AS more,
              event_data(ROW(before.*)::newsletter_subscribers) AS past, event_data(ROW(after.*)::newsletter_subscribers) AS now
            FROM old_rows AS before FULL JOIN new_rows AS after USING (id)
            WHERE coalesce(after.version <> before.version, false)
          ),
          -- The same of each row. Those that change with any other field are not named.
          fields AS MATERIALIZED (
            SELECT ARRAY(
              SELECT field FROM jsonb_object_keys((SELECT now FROM changed LIMIT 1)) AS field
              WHERE field NOT IN ('version', 'updatedAt', 'items') ORDER BY field) AS names
          )
          -- If no field has changed, an item has.
          INSERT INTO events (type, subject, subject_id, version, data, request_id)
          SELECT type, 'NEWSLETTER_SUBSCRIBER', id, version,
            now || jsonb_build_object('changed', coalesce(nullif(to_jsonb(ARRAY(
              SELECT name FROM unnest((SELECT names FROM fields)) AS name
              WHERE now->name IS DISTINCT FROM past->name)), '[]'), '["items"]')) || more,
            request
          FROM changed ORDER BY id;
        ELSE
          INSERT INTO events (type, subject, subject_id, version, data, request_id)
          SELECT 'subscription.ended', 'NEWSLETTER_SUBSCRIBER', id, version + 1,
            event_data(ROW(before.*)::newsletter_subscribers) - 'items' || jsonb_build_object('version', version + 1), request
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

CREATE OR REPLACE FUNCTION event_data(row_of newsletter_subscribers) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', row_of.id, 'email', row_of.email, 'isActive', row_of.is_active,
    'createdAt', text_of(row_of.created_at), 'version', row_of.version)
$$;

ALTER TABLE newsletter_subscribers
  DROP CONSTRAINT newsletter_subscribers_times,
  ADD CONSTRAINT newsletter_subscribers_times
    CHECK (created_at >= '0001-01-01 00:00:00+00' AND created_at < '10000-01-01 00:00:00+00'),
  DROP COLUMN consented_at,
  DROP COLUMN consent_address,
  DROP COLUMN requested_at,
  DROP COLUMN requested_version;
