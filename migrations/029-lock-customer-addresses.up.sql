-- The erasure of a customer deletes the address from customer_addresses. An order that has seen it there does not store
-- it, and must not commit after that, as no search would find it. So an order shares a lock of its address, which the
-- erasure takes alone. There are 256 of them, since a transaction with a million orders has no room for a million
-- locks; they are in memory, and an order writes nothing for them.
CREATE FUNCTION customer_lock(address text) RETURNS integer LANGUAGE sql IMMUTABLE STRICT
  RETURN hashtext(lower(address COLLATE "C")) & 255;
REVOKE EXECUTE ON FUNCTION customer_lock(text) FROM PUBLIC;

CREATE OR REPLACE FUNCTION keep_customer_address() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET enable_seqscan = off AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7238004, customer_lock(NEW.customer_email));
  IF NOT EXISTS (SELECT FROM customer_addresses WHERE address = lower(NEW.customer_email)) THEN
    INSERT INTO customer_addresses (address) VALUES (lower(NEW.customer_email));
  END IF;
  RETURN NULL;
END
$$;

-- Replacing a function forgets its settings.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION keep_customer_address() SET search_path = %I, pg_temp', current_schema());
END
$$;
