-- Triggers hold the functions that they call.
DROP FUNCTION append_order_changes, append_product_changes CASCADE;
DROP FUNCTION list_faults, fold_changes, count_lists, begin_keeping, group_segments, count_segments, find_in_list, list_total,
  list_condition;
DROP TABLE list_segments, list_changes, kept_tables;
DROP VIEW kept_list_names;
DROP FUNCTION order_lists, product_lists;
