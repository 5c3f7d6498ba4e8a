-- These run with the rights of their owner. A session's temporary table named list_changes must neither take the
-- changes nor run its own triggers with those rights.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION append_order_changes() SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION append_product_changes() SET search_path = %I, pg_temp', current_schema());
END
$$;
