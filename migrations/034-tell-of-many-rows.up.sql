-- An UPDATE of 10,000 rows took most of a minute in a session that had changed one row before: PostgreSQL keeps the plan
-- of the first change, which compares each row before with each row after. A FULL JOIN has no such plan, and coalesce
-- keeps PostgreSQL from making an inner join of it.
DO $$
DECLARE
  definition text;
  mended text;
BEGIN
  FOR definition IN
    SELECT pg_get_functiondef(format('tell_%s()', subjects)::regprocedure)
    FROM unnest(ARRAY['categories', 'products', 'orders', 'newsletter_subscribers']) AS subjects
  LOOP
    mended := replace(replace(definition,
      'AS before JOIN new_rows', 'AS before FULL JOIN new_rows'),
      'WHERE after.version <> before.version', 'WHERE coalesce(after.version <> before.version, false)');
    IF mended = definition THEN RAISE EXCEPTION 'not the function of migration 030: %', definition; END IF;
    EXECUTE mended;
  END LOOP;
END
$$;

-- As in 025. A price that is set together with the id was missing: the product's history is under its new id already.
CREATE OR REPLACE FUNCTION keep_prices() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz(3) := date_trunc('milliseconds', clock_timestamp());
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO product_prices (product_id, began, price) SELECT id, moment, price FROM new_rows;
  ELSE
    WITH versions AS (
      SELECT id, max(old_price) AS old_price, max(new_price) AS new_price
      FROM (SELECT id, price AS old_price, NULL::numeric AS new_price FROM old_rows
            UNION ALL SELECT id, NULL, price FROM new_rows) AS rows
      GROUP BY id HAVING max(old_price) IS DISTINCT FROM max(new_price)
    ),
    changed AS (
      SELECT id, new_price, coalesce(old_price, (
        SELECT price FROM product_prices WHERE product_id = id ORDER BY began DESC LIMIT 1)) AS old_price
      FROM versions
    ),
    dated AS MATERIALIZED (
      SELECT id, old_price, new_price,
        (SELECT max(began) FROM product_prices WHERE product_id = id) AS old_began
      FROM changed WHERE old_price <> new_price
    )
    INSERT INTO product_prices (product_id, began, price)
    SELECT id, greatest(moment, old_began + interval '1 millisecond'), new_price FROM dated
    UNION ALL
    SELECT id, moment - interval '1 millisecond', old_price FROM dated WHERE old_began IS NULL;
  END IF;
  RETURN NULL;
END
$$;

-- Replacing a function forgets its settings.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION keep_prices() SET search_path = %I, pg_temp', current_schema());
END
$$;
