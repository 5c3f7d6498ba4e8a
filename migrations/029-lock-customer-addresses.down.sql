CREATE OR REPLACE FUNCTION keep_customer_address() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET enable_seqscan = off AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM customer_addresses WHERE address = lower(NEW.customer_email)) THEN
    INSERT INTO customer_addresses (address) VALUES (lower(NEW.customer_email));
  END IF;
  RETURN NULL;
END
$$;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION keep_customer_address() SET search_path = %I, pg_temp', current_schema());
END
$$;
DROP FUNCTION customer_lock(text);
