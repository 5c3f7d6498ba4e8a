DROP FUNCTION record_changes(), record_truncation(), record_changes_of_items() CASCADE;
DROP TABLE audit_entries;
DROP FUNCTION
  refuse_change_of_entries(), record_item_changes(text, integer, integer, jsonb), trusted_origin(),
  changes_between(jsonb, jsonb, text[]), audited_columns(regclass, text[]), customers_in(jsonb);
