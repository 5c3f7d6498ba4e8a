-- no transaction
-- Stored texts with a final sigma are computed anew, in batches, so that no row is locked for long. The triggers of products
-- count no version of it, and record neither an entry nor an event. If it is interrupted, it can run again.
DO $$
DECLARE
  reached bigint := -2147483649;
  last_of_batch bigint;
  outdated integer[];
BEGIN
  LOOP
    SELECT max(id) INTO last_of_batch
    FROM (SELECT id FROM products WHERE id > reached ORDER BY id LIMIT 50) AS batch;
    EXIT WHEN last_of_batch IS NULL;
    outdated := ARRAY(
      SELECT id FROM products WHERE id > reached AND id <= last_of_batch AND search_text LIKE '%ς%'
      ORDER BY id FOR NO KEY UPDATE);
    -- An update of no rows would void all cached answers, too.
    IF outdated <> '{}' THEN
      UPDATE products SET name = name WHERE id = ANY (outdated);
    END IF;
    COMMIT;
    reached := last_of_batch;
  END LOOP;
END
$$
