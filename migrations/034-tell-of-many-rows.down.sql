DO $$
DECLARE
  definition text;
BEGIN
  FOR definition IN
    SELECT pg_get_functiondef(format('tell_%s()', subjects)::regprocedure)
    FROM unnest(ARRAY['categories', 'products', 'orders', 'newsletter_subscribers']) AS subjects
  LOOP
    EXECUTE replace(replace(definition,
      'AS before FULL JOIN new_rows', 'AS before JOIN new_rows'),
      'WHERE coalesce(after.version <> before.version, false)', 'WHERE after.version <> before.version');
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION keep_prices() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz(3) := date_trunc('milliseconds', clock_timestamp());
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO product_prices (product_id, began, price) SELECT id, moment, price FROM new_rows;
  ELSE
    WITH changed AS (
      SELECT id, max(old_price) AS old_price, max(new_price) AS new_price
      FROM (SELECT id, price AS old_price, NULL::numeric AS new_price FROM old_rows
            UNION ALL SELECT id, NULL, price FROM new_rows) AS versions
      GROUP BY id HAVING max(old_price) <> max(new_price)
    ),
    dated AS MATERIALIZED (
      SELECT id, old_price, new_price,
        (SELECT max(began) FROM product_prices WHERE product_id = id) AS old_began
      FROM changed
    )
    INSERT INTO product_prices (product_id, began, price)
    SELECT id, greatest(moment, old_began + interval '1 millisecond'), new_price FROM dated
    UNION ALL
    SELECT id, moment - interval '1 millisecond', old_price FROM dated WHERE old_began IS NULL;
  END IF;
  RETURN NULL;
END
$$;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION keep_prices() SET search_path = %I, pg_temp', current_schema());
END
$$;
