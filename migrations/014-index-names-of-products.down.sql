-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS products_sorted_by_name;
