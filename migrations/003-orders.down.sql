DROP FUNCTION count_orders() CASCADE;
DROP FUNCTION recount_orders(), add_to_order_counts(order_status, integer, bigint, numeric), order_totals(),
  add_missing_addresses();
DROP TABLE customer_addresses, idempotency_keys, order_counts, order_items, orders;
DROP FUNCTION
  keep_customer_address(), customer_lock(text), key_is_used(text), count_version_of_orders(), keep_bought_product();
DROP TYPE order_status;
