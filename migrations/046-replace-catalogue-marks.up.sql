-- Instead of a row for each change there are a few rows, of which a transaction takes a free one and gives it a new
-- mark; if there is none, it adds one. No transaction waits for another, and there is nothing to compact. The version
-- of the catalogue is a sum (XOR) of marks, so this changes it in no snapshot.
WITH compacted AS (DELETE FROM catalogue_changes RETURNING mark)
UPDATE catalogue_state
SET changes = changes + (SELECT count(*) FROM compacted),
    marks = marks # (SELECT coalesce(bit_xor(mark), 0) FROM compacted);

CREATE OR REPLACE FUNCTION record_catalogue_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  free record;
BEGIN
  -- Once for each transaction: a row that one transaction changes again and again is slow to find.
  IF EXISTS (
    SELECT FROM catalogue_changes
    WHERE transaction = pg_current_xact_id() AND began = transaction_timestamp()
  ) THEN
    RETURN NULL;
  END IF;
  BEGIN
    SELECT transaction, began INTO free FROM catalogue_changes LIMIT 1 FOR UPDATE SKIP LOCKED;
    UPDATE catalogue_changes
    SET transaction = DEFAULT, began = DEFAULT, mark = DEFAULT
    WHERE (transaction, began) = (free.transaction, free.began);
    IF FOUND THEN RETURN NULL; END IF;
  EXCEPTION WHEN serialization_failure THEN
    NULL; -- at a stricter level than READ COMMITTED, the row was changed since the snapshot
  END;
  INSERT INTO catalogue_changes DEFAULT VALUES;
  RETURN NULL;
END
$$;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION record_catalogue_change() SET search_path = %I, pg_temp', current_schema());
END
$$;
