-- no transaction
-- For a filter by the id alone: its entries in the order of the list.
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_entries_of_id
  ON audit_entries (subject_id, at DESC, id DESC);
