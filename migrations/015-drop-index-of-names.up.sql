-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS products_by_name;
