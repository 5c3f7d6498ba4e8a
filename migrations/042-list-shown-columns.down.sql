CREATE OR REPLACE FUNCTION kinds_of(columns text[]) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT CASE WHEN name = 'password_hash' THEN 'secret' WHEN right(name, 3) = '_at' THEN 'time' ELSE 'text' END
    FROM unnest(columns) WITH ORDINALITY AS listed (name, place) ORDER BY place);
END
$$;

CREATE OR REPLACE FUNCTION audited_columns(of_table regclass, hidden text[]) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT attname::text FROM pg_attribute
    WHERE attrelid = of_table AND attnum > 0 AND NOT attisdropped AND attname::text <> ALL (hidden)
    ORDER BY attnum);
END
$$;

DROP FUNCTION shown_columns(regclass);
