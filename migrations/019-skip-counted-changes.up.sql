-- Counting deletes all changes of a table. Readers step over them until a vacuum, unless folded_to says that they are
-- gone. It may say so at once if no transaction is left whose changes the deletion does not see.
CREATE OR REPLACE FUNCTION count_lists(of_table text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  name text;
  reached bigint;
BEGIN
  -- Ids up to this one belong to transactions before the one that this function gets when it begins.
  IF pg_current_xact_id_if_assigned() IS NULL THEN
    SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO reached FROM list_changes_id_seq;
  END IF;
  IF NOT begin_keeping(of_table) THEN
    RETURN false;
  END IF;
  -- Most transactions end soon. If one does not, folding sets folded_to when it has ended.
  FOR attempt IN 1..20 LOOP
    EXIT WHEN reached IS NULL OR pg_snapshot_xmin(pg_current_snapshot()) >= pg_current_xact_id();
    PERFORM pg_sleep(0.05);
  END LOOP;
  UPDATE kept_tables SET
    folded_to = CASE WHEN pg_snapshot_xmin(pg_current_snapshot()) >= pg_current_xact_id()
      THEN reached ELSE folded_to END,
    next_to = reached, next_xid = pg_current_xact_id()
  WHERE table_name = of_table AND reached IS NOT NULL;
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
