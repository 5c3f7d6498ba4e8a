-- The audit log showed every column that was not named as secret, so a new secret would have been in clear. From here on
-- it shows the values of the columns that are listed here. Any other column is recorded without its values, as passwords
-- are: the log has no gap, and whoever adds a column decides. What follows from other changes, such as a version, is
-- hidden altogether by the arguments of the triggers, as before.

-- The columns of an audited table whose values entries show.
CREATE FUNCTION shown_columns(of_table regclass) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE (SELECT relname::text FROM pg_class WHERE oid = of_table)
    WHEN 'categories' THEN '{name,slug,is_active,created_at}'
    WHEN 'products' THEN '{name,slug,description,price,is_active,category_id,created_at}'
    WHEN 'orders' THEN '{customer_email,total_amount,status,created_at}'
    WHEN 'order_items' THEN '{product_id,quantity,unit_price,product_name,product_slug}'
    WHEN 'newsletter_subscribers' THEN '{email,is_active,created_at}'
    WHEN 'admins' THEN '{email,role,is_active}'
    WHEN 'webhook_endpoints' THEN
      '{url,description,types,is_active,disabled_because,include_lookup,created_at,rotated_at}'
    ELSE '{}'
  END::text[];
END
$$;
REVOKE EXECUTE ON FUNCTION shown_columns(regclass) FROM PUBLIC;

-- The columns of a table that entries name, in their order. A NULL follows each whose values they don't show.
CREATE OR REPLACE FUNCTION audited_columns(of_table regclass, hidden text[]) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  shown text[] := shown_columns(of_table);
BEGIN
  RETURN ARRAY(
    SELECT name FROM pg_attribute,
      unnest(CASE WHEN attname::text = ANY (shown) THEN ARRAY[attname::text] ELSE ARRAY[attname::text, NULL] END)
        WITH ORDINALITY AS marked (name, place)
    WHERE attrelid = of_table AND attnum > 0 AND NOT attisdropped AND attname::text <> ALL (hidden)
    ORDER BY attnum, place);
END
$$;

-- How an entry shows the values of columns: as they are, as a time, or, if a NULL follows the name, not at all.
CREATE OR REPLACE FUNCTION kinds_of(columns text[]) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT CASE WHEN place < cardinality(columns) AND columns[place + 1] IS NULL THEN 'secret'
      WHEN right(name, 3) = '_at' THEN 'time' ELSE 'text' END
    FROM unnest(columns) WITH ORDINALITY AS listed (name, place) ORDER BY place);
END
$$;
