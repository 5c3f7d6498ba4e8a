-- A row for each transaction that changed categories or products. Rows are only appended, so no transaction
-- waits for another. The time is in the key because transaction ids start anew in a restored database.
CREATE TABLE catalogue_changes (
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  began timestamptz NOT NULL DEFAULT transaction_timestamp(),
  -- Random: a sum (XOR) of marks tells which transactions it has seen.
  mark bigint NOT NULL DEFAULT uuid_hash_extended(gen_random_uuid(), 0),
  PRIMARY KEY (transaction, began)
);

-- One row: the number and the marks of the changes that are no longer rows of their own. The first mark
-- is the database's random id.
CREATE TABLE catalogue_state (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  changes bigint NOT NULL DEFAULT 0,
  marks bigint NOT NULL DEFAULT uuid_hash_extended(gen_random_uuid(), 0)
);
INSERT INTO catalogue_state DEFAULT VALUES;

-- With the rights of its owner, since whoever may change a product need not know of these tables.
CREATE FUNCTION record_catalogue_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO catalogue_changes DEFAULT VALUES ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

-- A restore loads data without a search path, and a session's temporary tables must not get in the way.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION record_catalogue_change() SET search_path = %I, pg_temp', current_schema());
END
$$;

-- Triggers need a lock on their tables. While it waits for a long transaction, all later writers wait behind
-- it, so it tries again and again, each time for half a second.
SET LOCAL lock_timeout = '500ms';
DO $$
BEGIN
  FOR attempt IN 1..60 LOOP
    BEGIN
      LOCK TABLE categories, products IN SHARE ROW EXCLUSIVE MODE;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 60 THEN RAISE; END IF;
      PERFORM pg_sleep(0.5);
    END;
  END LOOP;
END
$$;

CREATE TRIGGER record_catalogue_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON categories
  FOR EACH STATEMENT EXECUTE FUNCTION record_catalogue_change();
CREATE TRIGGER record_catalogue_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION record_catalogue_change();

-- Also in sessions that switch ordinary triggers off with session_replication_role = replica.
ALTER TABLE categories ENABLE ALWAYS TRIGGER record_catalogue_change;
ALTER TABLE products ENABLE ALWAYS TRIGGER record_catalogue_change;
