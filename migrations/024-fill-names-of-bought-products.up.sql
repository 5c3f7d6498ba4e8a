-- no transaction
-- Items from before migration 023 get the name and the slug that their product has today. In batches, so that no row
-- is locked for long. If it is interrupted, it can run again, and goes on with what is left.
DO $$
DECLARE
  reached bigint := -2147483649;
  last_of_batch bigint;
BEGIN
  LOOP
    SELECT max(id) INTO last_of_batch
    FROM (SELECT id FROM order_items WHERE id > reached ORDER BY id LIMIT 10000) AS batch;
    EXIT WHEN last_of_batch IS NULL;
    -- A subquery, because a join might read all products for each batch.
    UPDATE order_items SET (product_name, product_slug) = (
      SELECT coalesce(order_items.product_name, name), coalesce(order_items.product_slug, slug)
      FROM products WHERE products.id = order_items.product_id
    )
    WHERE id > reached AND id <= last_of_batch AND (product_name IS NULL OR product_slug IS NULL);
    COMMIT;
    reached := last_of_batch;
  END LOOP;
END
$$
