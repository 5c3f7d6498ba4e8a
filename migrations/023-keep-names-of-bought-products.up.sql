-- What was bought: the product's name and slug when it was ordered. Items from before have none until migration 024
-- has filled them.
--
-- The columns and the trigger need a lock on the table. While it waits for a long transaction, all later statements
-- wait behind it, so it tries again and again, each time for half a second.
SET LOCAL lock_timeout = '500ms';
DO $$
BEGIN
  FOR attempt IN 1..60 LOOP
    BEGIN
      LOCK TABLE order_items IN ACCESS EXCLUSIVE MODE;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 60 THEN RAISE; END IF;
      PERFORM pg_sleep(0.5);
    END;
  END LOOP;
END
$$;

ALTER TABLE order_items
  ADD COLUMN product_name text COLLATE "C",
  ADD COLUMN product_slug text COLLATE "C";

-- For whoever stores an item without them: a release from before this migration, and SQL. With the rights of its
-- owner, so that nobody needs rights on products to write an item. An unknown product is left to the foreign key.
CREATE FUNCTION keep_bought_product() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET enable_seqscan = off AS $$
BEGIN
  SELECT coalesce(NEW.product_name, name), coalesce(NEW.product_slug, slug)
    INTO NEW.product_name, NEW.product_slug FROM products WHERE id = NEW.product_id;
  RETURN NEW;
END
$$;
REVOKE EXECUTE ON FUNCTION keep_bought_product() FROM PUBLIC;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION keep_bought_product() SET search_path = %I, pg_temp', current_schema());
END
$$;

CREATE TRIGGER keep_bought_product BEFORE INSERT ON order_items
  FOR EACH ROW WHEN (NEW.product_name IS NULL OR NEW.product_slug IS NULL)
  EXECUTE FUNCTION keep_bought_product();
