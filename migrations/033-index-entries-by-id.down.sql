-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS audit_entries_of_id;
