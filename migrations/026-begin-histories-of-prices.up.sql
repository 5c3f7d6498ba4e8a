-- no transaction
-- Each product without a history begins it with its present price. In batches of locked rows: a change of price either
-- is committed before the batch is read, or waits, and then finds the history begun. If a batch can't be locked at once
-- it is let go, so that nobody waits behind it, and tried again. It can run again after it was interrupted.
DO $$
DECLARE
  reached bigint := -2147483649;
  last_of_batch bigint;
BEGIN
  LOOP
    SELECT max(id) INTO last_of_batch
    FROM (SELECT id FROM products WHERE id > reached ORDER BY id LIMIT 1000) AS batch;
    EXIT WHEN last_of_batch IS NULL;
    PERFORM set_config('lock_timeout', '500ms', true);
    FOR attempt IN 1..60 LOOP
      BEGIN
        PERFORM FROM products WHERE id > reached AND id <= last_of_batch ORDER BY id FOR NO KEY UPDATE;
        EXIT;
      EXCEPTION WHEN lock_not_available THEN
        IF attempt = 60 THEN RAISE; END IF;
        PERFORM pg_sleep(0.5);
      END;
    END LOOP;
    INSERT INTO product_prices (product_id, began, price)
    SELECT id, date_trunc('milliseconds', clock_timestamp()), price FROM products
    WHERE id > reached AND id <= last_of_batch
      AND NOT EXISTS (SELECT FROM product_prices WHERE product_id = id);
    COMMIT;
    reached := last_of_batch;
  END LOOP;
END
$$
