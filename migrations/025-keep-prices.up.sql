-- Triggers need a lock on their table, and so does a foreign key on the table that it refers to. While it waits for a
-- long transaction, all later writers wait behind it, so it tries again and again, each time for half a second.
SET LOCAL lock_timeout = '500ms';
DO $$
BEGIN
  FOR attempt IN 1..60 LOOP
    BEGIN
      LOCK TABLE products IN SHARE ROW EXCLUSIVE MODE;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 60 THEN RAISE; END IF;
      PERFORM pg_sleep(0.5);
    END;
  END LOOP;
END
$$;

-- The prices of each product. A price ends when the next one begins; the last is the present one.
CREATE TABLE product_prices (
  product_id integer NOT NULL
    CONSTRAINT product_prices_product_id_fkey REFERENCES products (id) ON DELETE CASCADE ON UPDATE CASCADE,
  began timestamptz(3) NOT NULL,
  price numeric(10, 2) NOT NULL,
  PRIMARY KEY (product_id, began)
);

-- A time is taken while the row of the product is locked, and is later than those before, even if the clock was set
-- back. A product that has no history yet (before migration 026 gets to it) begins it with the price that ends now.
-- The rows are grouped, not joined: a plan that was made for one row is used for a million. With the rights of its
-- owner, so that nobody needs rights on product_prices to write a product.
CREATE FUNCTION keep_prices() RETURNS trigger
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
REVOKE EXECUTE ON FUNCTION keep_prices() FROM PUBLIC;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION keep_prices() SET search_path = %I, pg_temp', current_schema());
END
$$;

CREATE TRIGGER keep_prices_of_inserted AFTER INSERT ON products
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_prices();
CREATE TRIGGER keep_prices_of_updated AFTER UPDATE ON products
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_prices();
