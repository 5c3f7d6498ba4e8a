-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS customer_addresses_search;
