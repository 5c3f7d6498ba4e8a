-- no transaction
-- The list of pending entries is short, as each search reads it, and the order that fills it has to empty it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS customer_addresses_search
  ON customer_addresses USING gin (address gin_trgm_ops) WITH (gin_pending_list_limit = 256);
