GRANT EXECUTE ON FUNCTION
  append_order_changes(), append_product_changes(), record_catalogue_change(),
  begin_keeping(text), containing(text), count_lists(text), fold_changes(text, integer), group_segments(text, text),
  count_segments(text, text, timestamptz, integer, timestamptz, integer), find_in_list(text, text, bigint),
  list_condition(text), list_faults(text, text), list_total(text, text), order_lists(order_status),
  product_lists(integer, boolean)
TO PUBLIC;
