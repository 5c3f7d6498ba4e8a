-- The number and the amount of orders by status, as the sum of a few slots. A transaction that changes orders takes a slot
-- that is free and adds to it, so no order ever waits for a count, and the sum is exact in every snapshot.
--
-- Each change of a slot adds a row with the next version and the new sum. Readers and writers begin with the highest
-- version. So they never meet the rows of lower versions, which PostgreSQL has to retain while a snapshot is open, such as
-- that of an export.
CREATE TABLE order_counts (
  status order_status NOT NULL,
  slot integer NOT NULL,
  version bigint NOT NULL,
  orders bigint NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (status, slot, version)
);

-- The totals in the snapshot of the calling statement; of each slot it reads one row. In PL/pgSQL, which caches the plan.
CREATE FUNCTION order_totals() RETURNS TABLE (status order_status, orders bigint, amount numeric)
  LANGUAGE plpgsql STABLE SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  RETURN QUERY
    WITH RECURSIVE newest AS (
      (SELECT * FROM order_counts AS c ORDER BY c.status DESC, c.slot DESC, c.version DESC LIMIT 1)
      UNION ALL
      SELECT next.* FROM newest CROSS JOIN LATERAL (
        SELECT * FROM order_counts AS c WHERE (c.status, c.slot) < (newest.status, newest.slot)
        ORDER BY c.status DESC, c.slot DESC, c.version DESC LIMIT 1
      ) AS next
    )
    SELECT newest.status, sum(newest.orders)::bigint, sum(newest.amount) FROM newest GROUP BY newest.status;
END
$$;

-- Adds to a slot that nobody else changes now. Once in a hundred times it deletes the lower versions.
CREATE FUNCTION add_to_order_counts(of_status order_status, of_slot integer, more_orders bigint, more_amount numeric)
  RETURNS void LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  reached bigint;
BEGIN
  INSERT INTO order_counts
  SELECT of_status, of_slot, coalesce(version, 0) + 1, coalesce(orders, 0) + more_orders, coalesce(amount, 0) + more_amount
  FROM (SELECT) AS one LEFT JOIN LATERAL (
    SELECT * FROM order_counts WHERE status = of_status AND slot = of_slot ORDER BY version DESC LIMIT 1
  ) AS newest ON true
  RETURNING version INTO reached;
  IF reached % 100 = 0 THEN
    DELETE FROM order_counts WHERE status = of_status AND slot = of_slot AND version < reached;
  END IF;
END
$$;

-- Runs with the rights of its owner, so that nobody needs rights on order_counts to change an order.
CREATE FUNCTION count_orders() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  free integer := 1;
BEGIN
  IF current_setting('transaction_isolation') = 'read committed' THEN
    -- The lock keeps the slot until the transaction ends.
    WHILE NOT pg_try_advisory_xact_lock(7238006, free) LOOP free := free + 1; END LOOP;
  ELSE
    free := -pg_backend_pid(); -- its snapshot may be older than the newest version of any other slot
  END IF;
  IF TG_OP = 'INSERT' THEN
    PERFORM add_to_order_counts(status, free, count(*), sum(total_amount)) FROM new_rows GROUP BY status;
  ELSIF TG_OP = 'UPDATE' THEN
    PERFORM add_to_order_counts(status, free, sum(number), sum(number * total_amount))
    FROM (SELECT -1 AS number, status, total_amount FROM old_rows
          UNION ALL SELECT 1, status, total_amount FROM new_rows) AS rows
    GROUP BY status HAVING sum(number) <> 0 OR sum(number * total_amount) <> 0;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM add_to_order_counts(status, free, -count(*), -sum(total_amount)) FROM old_rows GROUP BY status;
  ELSE
    TRUNCATE order_counts; -- no other transaction has changed an order and is still open
  END IF;
  RETURN NULL;
END
$$;

-- Brings the totals in line with the orders, in one snapshot and without a lock that a writer would notice: what they
-- differ by is added to slot 0, which no trigger takes.
CREATE FUNCTION recount_orders() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7238006, 0);
  PERFORM add_to_order_counts(status, 0, sum(orders)::bigint, sum(amount))
  FROM (SELECT status, count(*) AS orders, sum(total_amount) AS amount FROM orders GROUP BY status
        UNION ALL SELECT status, -orders, -amount FROM order_totals()) AS missing
  GROUP BY status HAVING sum(orders) <> 0 OR sum(amount) <> 0;
END
$$;

-- Adds the addresses of orders that were loaded without triggers, as searches would miss them. The erasure of a customer
-- deletes an address only while nobody has its lock, so none is read here before that and added after it.
CREATE FUNCTION add_missing_addresses() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7238004, number) FROM generate_series(0, 255) AS number;
  INSERT INTO customer_addresses (address)
  SELECT DISTINCT lower(customer_email) FROM orders
  WHERE NOT EXISTS (SELECT FROM customer_addresses WHERE address = lower(customer_email));
END
$$;

REVOKE EXECUTE ON FUNCTION order_totals(), add_to_order_counts(order_status, integer, bigint, numeric),
  count_orders(), recount_orders(), add_missing_addresses() FROM PUBLIC;
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION count_orders() SET search_path = %I, pg_temp', current_schema());
END
$$;

-- Triggers need a lock on their table. While it waits for a long transaction, all others wait behind it, so it tries
-- again and again, each time for half a second.
SET LOCAL lock_timeout = '500ms';
DO $$
BEGIN
  FOR attempt IN 1..60 LOOP
    BEGIN
      LOCK TABLE products, orders IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 60 THEN RAISE; END IF;
      PERFORM pg_sleep(0.5);
    END;
  END LOOP;
END
$$;

-- From here on the triggers count what changes; the orders that are there already follow in the next migration.
CREATE TRIGGER count_inserted AFTER INSERT ON orders
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_orders();
CREATE TRIGGER count_updated AFTER UPDATE ON orders
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_orders();
CREATE TRIGGER count_deleted AFTER DELETE ON orders
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_orders();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION count_orders();

-- The counts by segments of migration 011 go, with their triggers.
DROP FUNCTION append_order_changes, append_product_changes CASCADE;
DROP FUNCTION list_faults, fold_changes, count_lists, begin_keeping, group_segments, count_segments, find_in_list,
  list_total, list_condition;
DROP TABLE list_segments, list_changes, kept_tables;
DROP VIEW kept_list_names;
DROP FUNCTION order_lists, product_lists;
