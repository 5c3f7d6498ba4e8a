-- It runs with the search_path of whoever changes a row, where a function of theirs may stand before PostgreSQL's.
ALTER FUNCTION count_version() SET search_path = pg_catalog, pg_temp;

-- PostgreSQL plans functions of SQL anew in each statement, before version 18, and those of PL/pgSQL once in a session. So
-- what each change calls is PL/pgSQL from here on.
CREATE OR REPLACE FUNCTION audited_columns(of_table regclass, hidden text[]) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT attname::text FROM pg_attribute
    WHERE attrelid = of_table AND attnum > 0 AND NOT attisdropped AND attname::text <> ALL (hidden)
    ORDER BY attnum);
END
$$;
CREATE OR REPLACE FUNCTION event_data(before jsonb, after jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN after || jsonb_build_object('changed', coalesce((
    SELECT jsonb_agg(key ORDER BY key) FROM jsonb_each(after)
    WHERE value IS DISTINCT FROM before->key AND key NOT IN ('version', 'updatedAt', 'items')), '["items"]'));
END
$$;

-- The names of fields don't depend on the language of the database: in Turkish, the capital of i has a dot.
CREATE OR REPLACE FUNCTION changes_between(before jsonb, after jsonb, columns text[]) RETURNS jsonb
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_agg(jsonb_build_object(
      'field', CASE name WHEN 'password_hash' THEN 'password' ELSE
        left(name, 1) || substr(replace(initcap(replace(name, '_', ' ') COLLATE "C"), ' ', ''), 2) END,
      'before', CASE WHEN name = 'password_hash' THEN NULL WHEN right(name, 3) = '_at'
        THEN text_of((before->>name)::timestamptz) ELSE before->>name END,
      'after', CASE WHEN name = 'password_hash' THEN NULL WHEN right(name, 3) = '_at'
        THEN text_of((after->>name)::timestamptz) ELSE after->>name END
    ) ORDER BY place)
    FROM unnest(columns) WITH ORDINALITY AS listed (name, place)
    WHERE before->>name IS DISTINCT FROM after->>name);
END
$$;

CREATE OR REPLACE FUNCTION count_version_of_orders() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- Whoever says where a change comes from is the service, which stores items only when it places an order.
    IF session_user <> current_user OR coalesce(current_setting('tea_shop.origin', true), '') = '' THEN
      UPDATE orders SET version = version + 1
      WHERE id IN (SELECT order_id FROM new_rows) AND NOT is_new_order(id);
    END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    UPDATE orders SET version = version + 1
    WHERE id IN (SELECT order_id FROM (
      (TABLE old_rows EXCEPT TABLE new_rows) UNION ALL (TABLE new_rows EXCEPT TABLE old_rows)) AS changed);
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE orders SET version = version + 1 WHERE id IN (SELECT order_id FROM old_rows);
  ELSE
    -- A TRUNCATE of orders comes here after their deletion was told.
    UPDATE orders SET version = version + 1
    WHERE id IN (SELECT order_id FROM order_items) AND NOT EXISTS (
      SELECT FROM events
      WHERE subject_id = orders.id AND subject = 'ORDER' AND type = 'order.deleted'
        AND transaction = pg_current_xact_id());
  END IF;
  RETURN NULL;
END
$$;

-- Replacing a function forgets its settings.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION count_version_of_orders() SET search_path = %I, pg_temp', current_schema());
END
$$;

-- A trigger needs a lock on its table. While it waits for a long transaction, all later writers wait behind it, so it
-- tries again and again, each time for half a second.
SET LOCAL lock_timeout = '500ms';
DO $$
BEGIN
  FOR attempt IN 1..60 LOOP
    BEGIN
      LOCK TABLE product_prices IN SHARE ROW EXCLUSIVE MODE;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 60 THEN RAISE; END IF;
      PERFORM pg_sleep(0.5);
    END;
  END LOOP;
END
$$;

-- Whoever corrects a history by SQL changes what the catalogue shows. The trigger that keeps the price of a product
-- needs none: the change of the product is one already.
CREATE TRIGGER record_catalogue_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON product_prices
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION record_catalogue_change();
ALTER TABLE product_prices ENABLE ALWAYS TRIGGER record_catalogue_change;
