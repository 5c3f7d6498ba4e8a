CREATE OR REPLACE FUNCTION record_catalogue_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO catalogue_changes DEFAULT VALUES ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION record_catalogue_change() SET search_path = %I, pg_temp', current_schema());
END
$$;
