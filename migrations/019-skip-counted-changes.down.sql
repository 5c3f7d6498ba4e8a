CREATE OR REPLACE FUNCTION count_lists(of_table text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  name text;
BEGIN
  IF NOT begin_keeping(of_table) THEN
    RETURN false;
  END IF;
  -- The rows that are counted next include these changes.
  DELETE FROM list_changes WHERE table_name = of_table;
  DELETE FROM list_segments WHERE table_name = of_table;
  FOR name IN SELECT list FROM kept_list_names WHERE table_name = of_table LOOP
    PERFORM count_segments(of_table, name, '-infinity', -2147483648, 'infinity', 2147483647);
    PERFORM group_segments(of_table, name);
  END LOOP;
  ANALYZE list_segments;
  UPDATE kept_tables SET is_counted = true WHERE table_name = of_table;
  RETURN true;
END
$$;
