-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS products_newest_of_category_and_activity;
