-- An import of changed products spent a quarter of its time on their events: what has changed was found by a function with
-- a query of its own, which was started anew for each row, and the request was read from the origin for each row. Both are
-- found within the statement from here on, and what is the same for all rows, once.

-- As in 030, with event_data(jsonb, jsonb) written out.
DO $migration$
DECLARE
  told record;
BEGIN
  FOR told IN SELECT * FROM (VALUES
    ('categories', 'CATEGORY', 'category.created', $type$'category.updated'$type$, 'category.deleted'),
    ('products', 'PRODUCT', 'product.created', $type$'product.updated'$type$, 'product.deleted'),
    ('orders', 'ORDER', NULL, $type$CASE WHEN before.status = after.status
      THEN 'order.updated' ELSE 'order.status_changed' END$type$, 'order.deleted'),
    ('newsletter_subscribers', 'NEWSLETTER_SUBSCRIBER', 'subscription.requested', $type$CASE
      WHEN before.is_active = after.is_active THEN 'subscription.updated'
      WHEN after.is_active THEN 'subscription.confirmed' ELSE 'subscription.ended' END$type$, 'subscription.ended')
  ) AS list (name, subject, inserted, updated, deleted)
  LOOP
    EXECUTE format($function$
      CREATE OR REPLACE FUNCTION tell_%1$s() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = %7$I, pg_temp AS $body$
      DECLARE
        request text := request_of_change();
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO events (type, subject, subject_id, version, data, request_id)
          SELECT %3$L, %2$L, id, version, event_data(ROW(after.*)::%1$I), request
          FROM new_rows AS after ORDER BY id;
        ELSIF TG_OP = 'UPDATE' THEN
          WITH changed AS MATERIALIZED (
            SELECT %4$s AS type, id, after.version, %6$s AS more,
              event_data(ROW(before.*)::%1$I) AS past, event_data(ROW(after.*)::%1$I) AS now
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
          SELECT type, %2$L, id, version,
            now || jsonb_build_object('changed', coalesce(nullif(to_jsonb(ARRAY(
              SELECT name FROM unnest((SELECT names FROM fields)) AS name
              WHERE now->name IS DISTINCT FROM past->name)), '[]'), '["items"]')) || more,
            request
          FROM changed ORDER BY id;
        ELSE
          INSERT INTO events (type, subject, subject_id, version, data, request_id)
          SELECT %5$L, %2$L, id, version + 1,
            event_data(ROW(before.*)::%1$I) - 'items' || jsonb_build_object('version', version + 1), request
          FROM old_rows AS before ORDER BY id;
        END IF;
        RETURN NULL;
      END
      $body$;
    $function$, told.name, told.subject, told.inserted, told.updated, told.deleted,
      CASE told.subject WHEN 'ORDER' THEN $more$CASE WHEN before.status = after.status
        THEN '{}' ELSE jsonb_build_object('previousStatus', before.status) END$more$ ELSE $more$'{}'::jsonb$more$ END,
      current_schema());
  END LOOP;
END
$migration$;

DROP FUNCTION event_data(jsonb, jsonb);
