-- no transaction
-- The plain name is included because PostgreSQL scans an expression index alone only if it can see the column.
CREATE INDEX CONCURRENTLY IF NOT EXISTS products_sorted_by_name ON products (lower(name), id) INCLUDE (name);
