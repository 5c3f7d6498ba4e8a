-- Rows from before the checks of migration 038. Those of the shop are left as they are, and named: nobody but the operator
-- knows their right times.
DO $$
DECLARE
  timed record;
  odd record;
BEGIN
  FOR timed IN SELECT * FROM (VALUES
    ('categories', 'id', 'created_at'), ('products', 'id', 'created_at'), ('products', 'id', 'updated_at'),
    ('orders', 'id', 'created_at'), ('newsletter_subscribers', 'id', 'created_at'),
    ('product_prices', 'product_id', 'began'), ('idempotency_keys', 'order_id', 'created_at'),
    ('audit_entries', 'id', 'at'), ('events', 'id', 'at'), ('webhook_endpoints', 'id', 'created_at')
  ) AS list (name, key, moment)
  LOOP
    FOR odd IN EXECUTE format(
      $query$SELECT %1$I AS key, %2$I AS moment, count(*) OVER () AS number FROM %3$I
        WHERE %2$I < '0001-01-01 00:00:00+00' OR %2$I >= '10000-01-01 00:00:00+00' ORDER BY %1$I LIMIT 100$query$,
      timed.key, timed.moment, timed.name)
    LOOP
      RAISE WARNING '%.% is % where % is % (rows like this: %). Correct it by SQL: until then, no change of this row is accepted.',
        timed.name, timed.moment, odd.moment, timed.key, odd.key, odd.number;
    END LOOP;
  END LOOP;
END
$$;

-- The dispatcher changes these, and must not fail because of them. What was to be tried at no time is tried now.
UPDATE webhook_endpoints SET failing_since = NULL
WHERE failing_since < '0001-01-01 00:00:00+00' OR failing_since >= '10000-01-01 00:00:00+00';
UPDATE webhook_endpoints SET rotated_at = NULL
WHERE rotated_at < '0001-01-01 00:00:00+00' OR rotated_at >= '10000-01-01 00:00:00+00';
UPDATE webhook_deliveries SET
  created_at = CASE WHEN created_at >= '0001-01-01 00:00:00+00' AND created_at < '10000-01-01 00:00:00+00'
    THEN created_at ELSE now() END,
  next_attempt_at = CASE WHEN next_attempt_at >= '0001-01-01 00:00:00+00' AND next_attempt_at < '10000-01-01 00:00:00+00'
    THEN next_attempt_at WHEN state = 'WAITING' THEN now() END,
  ended_at = CASE WHEN ended_at >= '0001-01-01 00:00:00+00' AND ended_at < '10000-01-01 00:00:00+00'
    THEN ended_at WHEN state <> 'WAITING' THEN now() END,
  -- The last 50 tries are kept from here on.
  tries = jsonb_path_query_array(tries, '$[last - 49 to last]')
WHERE created_at < '0001-01-01 00:00:00+00' OR created_at >= '10000-01-01 00:00:00+00'
  OR next_attempt_at < '0001-01-01 00:00:00+00' OR next_attempt_at >= '10000-01-01 00:00:00+00'
  OR ended_at < '0001-01-01 00:00:00+00' OR ended_at >= '10000-01-01 00:00:00+00'
  OR jsonb_path_exists(tries, '$[50]');
