CREATE FUNCTION event_data(before jsonb, after jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN after || jsonb_build_object('changed', coalesce((
    SELECT jsonb_agg(key ORDER BY key) FROM jsonb_each(after)
    WHERE value IS DISTINCT FROM before->key AND key NOT IN ('version', 'updatedAt', 'items')), '["items"]'));
END
$$;
REVOKE EXECUTE ON FUNCTION event_data(jsonb, jsonb) FROM PUBLIC;

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
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO events (type, subject, subject_id, version, data, request_id)
          SELECT %3$L, %2$L, id, version, event_data(ROW(after.*)::%1$I), request_of_change()
          FROM new_rows AS after ORDER BY id;
        ELSIF TG_OP = 'UPDATE' THEN
          INSERT INTO events (type, subject, subject_id, version, data, request_id)
          SELECT %4$s, %2$L, id, after.version,
            event_data(event_data(ROW(before.*)::%1$I), event_data(ROW(after.*)::%1$I)) || %6$s, request_of_change()
          FROM old_rows AS before FULL JOIN new_rows AS after USING (id)
          WHERE coalesce(after.version <> before.version, false) ORDER BY id;
        ELSE
          INSERT INTO events (type, subject, subject_id, version, data, request_id)
          SELECT %5$L, %2$L, id, version + 1,
            event_data(ROW(before.*)::%1$I) - 'items' || jsonb_build_object('version', version + 1), request_of_change()
          FROM old_rows AS before ORDER BY id;
        END IF;
        RETURN NULL;
      END
      $body$;
    $function$, told.name, told.subject, told.inserted, told.updated, told.deleted,
      CASE told.subject WHEN 'ORDER' THEN $more$CASE WHEN before.status = after.status
        THEN '{}' ELSE jsonb_build_object('previousStatus', before.status) END$more$ ELSE $more$'{}'$more$ END,
      current_schema());
  END LOOP;
END
$migration$;
