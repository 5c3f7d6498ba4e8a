-- The addresses that orders have or once had, in lower case, to search them by a part. An order only looks whether
-- its address is there. It is not unique: orders that bring the same new address at once each store it, as waiting
-- for one another could end in a deadlock.
CREATE TABLE customer_addresses (address text COLLATE "C" NOT NULL);
CREATE INDEX customer_addresses_by_address ON customer_addresses (address);

-- With the rights of its owner, so that nobody needs rights on customer_addresses to write an order.
CREATE FUNCTION keep_customer_address() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET enable_seqscan = off AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM customer_addresses WHERE address = lower(NEW.customer_email)) THEN
    INSERT INTO customer_addresses (address) VALUES (lower(NEW.customer_email));
  END IF;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION keep_customer_address() FROM PUBLIC;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION keep_customer_address() SET search_path = %I, pg_temp', current_schema());
END
$$;

-- Triggers need a lock on their table. While it waits for a long transaction, all later writers wait behind it, so
-- it tries again and again, each time for half a second.
SET LOCAL lock_timeout = '500ms';
DO $$
BEGIN
  FOR attempt IN 1..60 LOOP
    BEGIN
      LOCK TABLE orders IN SHARE ROW EXCLUSIVE MODE;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 60 THEN RAISE; END IF;
      PERFORM pg_sleep(0.5);
    END;
  END LOOP;
END
$$;

CREATE TRIGGER keep_customer_address_of_inserted AFTER INSERT ON orders
  FOR EACH ROW EXECUTE FUNCTION keep_customer_address();
CREATE TRIGGER keep_customer_address_of_updated AFTER UPDATE OF customer_email ON orders
  FOR EACH ROW EXECUTE FUNCTION keep_customer_address();
