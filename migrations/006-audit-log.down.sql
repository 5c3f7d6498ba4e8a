DROP FUNCTION record_changes(), record_truncation(), record_changes_of_items(), refuse_change_of_entries() CASCADE;
DROP FUNCTION
  record_item_changes(text, integer, integer, jsonb), changes_between(jsonb, jsonb, text[]), kinds_of(text[]),
  fields_of(text[]), audited_columns(regclass, text[]), shown_columns(regclass);
DROP TABLE audit_entries;
DROP FUNCTION customers_in(jsonb);
