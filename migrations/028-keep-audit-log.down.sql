DROP FUNCTION record_changes(), record_truncation(), record_changes_of_items() CASCADE;
CREATE OR REPLACE FUNCTION is_new_order(order_id integer) RETURNS boolean LANGUAGE sql STABLE
  RETURN (SELECT xmin = pg_current_xact_id()::xid FROM orders WHERE id = order_id);
DROP TABLE audit_entries;
DROP FUNCTION
  refuse_change_of_entries(), record_item_changes(text, integer, integer, jsonb), trusted_origin(),
  changes_between(jsonb, jsonb, text[]), audited_columns(regclass, text[]), customers_in(jsonb);
