-- Triggers and columns need a lock on their tables. While it waits for a long transaction, all later writers wait behind
-- it, and behind the tables that it has already. So it tries again and again, each time for a short while.
SET LOCAL lock_timeout = '150ms';
DO $$
BEGIN
  FOR attempt IN 1..200 LOOP
    BEGIN
      LOCK TABLE categories, products, orders, order_items IN ACCESS EXCLUSIVE MODE;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 200 THEN RAISE; END IF;
      PERFORM pg_sleep(0.2);
    END;
  END LOOP;
END
$$;

-- 1 when created, and one more with each change that a client can see, whoever makes it.
ALTER TABLE categories ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE products ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE orders ADD COLUMN version integer NOT NULL DEFAULT 1;

-- The arguments of its triggers are columns that count as no change: a client does not see them, or, like
-- updated_at, sees them only change with others. Whoever changes a row holds its lock, so versions follow the order of
-- commits. A trigger that raises the version tells of changed items of the order.
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_raised boolean := pg_trigger_depth() > 1 AND NEW.version <> OLD.version;
BEGIN
  NEW.version := OLD.version;
  IF is_raised OR to_jsonb(NEW) - TG_ARGV IS DISTINCT FROM to_jsonb(OLD) - TG_ARGV THEN
    NEW.version := OLD.version + 1;
  END IF;
  RETURN NEW;
END
$$;

-- Whether the present transaction has stored the order.
CREATE FUNCTION is_new_order(order_id integer) RETURNS boolean LANGUAGE sql STABLE
  RETURN (SELECT xmin = pg_current_xact_id()::xid FROM orders WHERE id = order_id);

-- What a client sees of an order includes its items. An order that is placed keeps its version, as it gets its items
-- in the transaction that creates it. With the rights of its owner, since whoever changes items need not change orders.
CREATE FUNCTION count_version_of_orders() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
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
    UPDATE orders SET version = version + 1 WHERE id IN (SELECT order_id FROM order_items);
  END IF;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION count_version(), is_new_order(integer), count_version_of_orders() FROM PUBLIC;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION count_version_of_orders() SET search_path = %I, pg_temp', current_schema());
END
$$;

CREATE TRIGGER count_version BEFORE UPDATE ON categories
  FOR EACH ROW EXECUTE FUNCTION count_version('version');
-- PostgreSQL computes search_text after this trigger.
CREATE TRIGGER count_version BEFORE UPDATE ON products
  FOR EACH ROW EXECUTE FUNCTION count_version('version', 'updated_at', 'search_text');
CREATE TRIGGER count_version BEFORE UPDATE ON orders
  FOR EACH ROW EXECUTE FUNCTION count_version('version');
CREATE TRIGGER count_version_of_inserted AFTER INSERT ON order_items
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_version_of_orders();
CREATE TRIGGER count_version_of_updated AFTER UPDATE ON order_items
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_version_of_orders();
CREATE TRIGGER count_version_of_deleted AFTER DELETE ON order_items
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_version_of_orders();
CREATE TRIGGER count_version_of_truncated BEFORE TRUNCATE ON order_items
  FOR EACH STATEMENT EXECUTE FUNCTION count_version_of_orders();
