-- Times that others can read are finite, and their years have four digits: ISO 8601 has no others. Rows from before are not
-- checked until they are changed.
SET LOCAL lock_timeout = '150ms';
DO $$
DECLARE
  timed record;
BEGIN
  LOCK TABLE categories, products, orders, newsletter_subscribers, product_prices, idempotency_keys, audit_entries, events,
    webhook_endpoints, webhook_deliveries IN ACCESS EXCLUSIVE MODE;
  FOR timed IN SELECT * FROM (VALUES
    ('categories', '{created_at}'::text[]), ('products', '{created_at,updated_at}'), ('orders', '{created_at}'),
    ('newsletter_subscribers', '{created_at}'), ('product_prices', '{began}'), ('idempotency_keys', '{created_at}'),
    ('audit_entries', '{at}'), ('events', '{at}'), ('webhook_endpoints', '{created_at,failing_since,rotated_at}'),
    ('webhook_deliveries', '{created_at,next_attempt_at,ended_at}')
  ) AS list (name, moments)
  LOOP
    EXECUTE (
      SELECT format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (%s) NOT VALID', timed.name, timed.name || '_times',
        string_agg(format($check$%1$I >= '0001-01-01 00:00:00+00' AND %1$I < '10000-01-01 00:00:00+00'$check$, moment), ' AND '))
      FROM unnest(timed.moments) AS moment);
  END LOOP;
END
$$;
