-- A price that was a mistake can be withdrawn: it stays in the history, and counts as no former price. The default of the
-- new column is stored in no row, so this only needs the lock for a moment.
SET LOCAL lock_timeout = '500ms';
DO $$
BEGIN
  FOR attempt IN 1..60 LOOP
    BEGIN
      LOCK TABLE product_prices IN ACCESS EXCLUSIVE MODE;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 60 THEN RAISE; END IF;
      PERFORM pg_sleep(0.5);
    END;
  END LOOP;
END
$$;

ALTER TABLE product_prices ADD COLUMN is_withdrawn boolean NOT NULL DEFAULT false;

-- It is a change of the product: its version counts on, and an event and an entry tell of it, whoever makes it.
CREATE FUNCTION record_withdrawn_price() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  origin jsonb := trusted_origin();
  changed integer;
BEGIN
  UPDATE products SET version = version + 1, updated_at = date_trunc('milliseconds', clock_timestamp())
  WHERE id = NEW.product_id RETURNING version INTO changed;
  -- The trigger of products does not know what else has changed.
  UPDATE events SET data = data || '{"changed": ["prices"]}'
  WHERE subject_id = NEW.product_id AND subject = 'PRODUCT' AND version = changed;
  IF origin IS NULL OR origin->>'actor' IS NOT NULL THEN
    INSERT INTO audit_entries (actor, door, operation, subject, subject_id, changes, address, request_id, source)
    VALUES (coalesce(origin->>'actor', session_user), coalesce(origin->>'door', 'DATABASE'),
      coalesce(origin->>'operation', TG_OP), 'PRODUCT', NEW.product_id,
      jsonb_build_array(jsonb_build_object('field', format('prices.%s.isWithdrawn', text_of(NEW.began)),
        'before', OLD.is_withdrawn::text, 'after', NEW.is_withdrawn::text)),
      origin->>'address', origin->>'requestId', origin->>'source');
  END IF;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION record_withdrawn_price() FROM PUBLIC;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION record_withdrawn_price() SET search_path = %I, pg_temp', current_schema());
END
$$;

CREATE TRIGGER record_withdrawn_price AFTER UPDATE OF is_withdrawn ON product_prices
  FOR EACH ROW WHEN (OLD.is_withdrawn <> NEW.is_withdrawn) EXECUTE FUNCTION record_withdrawn_price();
