-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS products_by_name ON products (lower(name), id);
