-- Totals and positions of the lists that are filtered by few values, in the order of (created_at, id).
-- A list is named by its filter: '' is all rows, others are 'status=PAID' or 'category_id=7&is_active=true'.
--
-- Triggers append a row to list_changes for each row that enters or leaves lists. Appending waits for no
-- other transaction. At times, one session folds the changes that it sees into list_segments. So in every
-- snapshot, the rows of a list are the sum of its segments and of its changes.

CREATE FUNCTION order_lists(status order_status) RETURNS text[] LANGUAGE sql STABLE
  RETURN ARRAY['', 'status=' || status];

CREATE FUNCTION product_lists(category_id integer, is_active boolean) RETURNS text[] LANGUAGE sql STABLE
  RETURN ARRAY['', 'is_active=' || is_active, 'category_id=' || category_id,
    'category_id=' || category_id || '&is_active=' || is_active];

CREATE VIEW kept_list_names AS
  SELECT DISTINCT 'orders' AS table_name, list
  FROM unnest(enum_range(NULL::order_status)) AS status, unnest(order_lists(status)) AS list
  UNION ALL
  (SELECT 'products', list FROM unnest(ARRAY['', 'is_active=true', 'is_active=false']) AS list
   UNION
   SELECT 'products', list
   FROM categories, unnest(ARRAY[true, false]) AS active, unnest(product_lists(id, active)) AS list);

-- The condition that a list's name stands for.
CREATE FUNCTION list_condition(list text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN (SELECT coalesce(
    string_agg(format('%I = %L', split_part(part, '=', 1), split_part(part, '=', 2)), ' AND '), 'true')
    FROM string_to_table(list, '&') AS part);

CREATE TABLE kept_tables (
  table_name text COLLATE "C" PRIMARY KEY,
  -- Until the lists are counted for the first time, their changes are only collected.
  is_counted boolean NOT NULL,
  -- No change up to this id is left, nor will one appear: readers need not step over the deleted ones.
  folded_to bigint NOT NULL DEFAULT 0,
  -- The value that folded_to takes when every transaction before next_xid has ended.
  next_to bigint NOT NULL DEFAULT 0,
  next_xid xid8 NOT NULL DEFAULT '0'
);

CREATE TABLE list_changes (
  table_name text COLLATE "C" NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  created_at timestamptz(3) NOT NULL,
  row_id integer NOT NULL,
  -- The lists that the row has entered (amount 1) or left (-1). Without any, the table was truncated.
  lists text[] COLLATE "C" NOT NULL,
  amount integer NOT NULL,
  PRIMARY KEY (table_name, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- A segment has the rows from its position up to that of the next one. Those of height 0 have about 1,000
-- rows, those of height 1 about 50,000; height 2 is the whole list. The positions of each height are also
-- positions of the height below.
CREATE TABLE list_segments (
  table_name text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  height smallint NOT NULL,
  from_created_at timestamptz(3) NOT NULL,
  from_id integer NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (table_name, list, height, from_created_at, from_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- They run with the rights of their owner, so that nobody needs rights on list_changes to change a row.
CREATE FUNCTION append_order_changes() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes (table_name, created_at, row_id, lists, amount)
    SELECT 'orders', created_at, id, order_lists(status), 1 FROM new_rows;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO list_changes (table_name, created_at, row_id, lists, amount)
    SELECT 'orders', created_at, id, order_lists(status), sum(amount)
    FROM (SELECT created_at, id, status, -1 AS amount FROM old_rows
          UNION ALL SELECT created_at, id, status, 1 FROM new_rows) AS changed
    GROUP BY created_at, id, status HAVING sum(amount) <> 0;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO list_changes (table_name, created_at, row_id, lists, amount)
    SELECT 'orders', created_at, id, order_lists(status), -1 FROM old_rows;
  ELSE
    INSERT INTO list_changes (table_name, created_at, row_id, lists, amount)
    VALUES ('orders', now(), 0, '{}', 0);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION append_product_changes() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes (table_name, created_at, row_id, lists, amount)
    SELECT 'products', created_at, id, product_lists(category_id, is_active), 1 FROM new_rows;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO list_changes (table_name, created_at, row_id, lists, amount)
    SELECT 'products', created_at, id, product_lists(category_id, is_active), sum(amount)
    FROM (SELECT created_at, id, category_id, is_active, -1 AS amount FROM old_rows
          UNION ALL SELECT created_at, id, category_id, is_active, 1 FROM new_rows) AS changed
    GROUP BY created_at, id, category_id, is_active HAVING sum(amount) <> 0;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO list_changes (table_name, created_at, row_id, lists, amount)
    SELECT 'products', created_at, id, product_lists(category_id, is_active), -1 FROM old_rows;
  ELSE
    INSERT INTO list_changes (table_name, created_at, row_id, lists, amount)
    VALUES ('products', now(), 0, '{}', 0);
  END IF;
  RETURN NULL;
END
$$;

-- The total of a list in the calling statement's snapshot; null if the lists of the table are not counted.
-- `unfolded` is the number of the table's changes, each of which has to be read. In PL/pgSQL, which keeps its
-- plans: planning this anew for each page would cost more than reading the page.
CREATE FUNCTION list_total(of_table text, of_list text, OUT total bigint, OUT unfolded bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  kept record;
  changed record;
BEGIN
  SELECT is_counted, folded_to INTO kept FROM kept_tables WHERE table_name = of_table;
  SELECT count(*) AS rows, coalesce(bool_or(lists = '{}'), false) AS has_truncation,
      coalesce(sum(amount) FILTER (WHERE of_list = ANY (lists)), 0) AS amount
    INTO changed FROM list_changes WHERE table_name = of_table AND id > kept.folded_to;
  unfolded := changed.rows;
  IF kept.is_counted AND NOT changed.has_truncation THEN
    total := changed.amount + coalesce(
      (SELECT count FROM list_segments WHERE table_name = of_table AND list = of_list AND height = 2), 0);
  END IF;
END
$$;

-- Also finds the row after the first `skipped` ones, newest first: it is the `left_to_skip`th (from 0) before
-- the position (below_created_at, below_id).
CREATE FUNCTION find_in_list(
  of_table text, of_list text, skipped bigint,
  OUT total bigint, OUT unfolded bigint,
  OUT below_created_at timestamptz, OUT below_id integer, OUT left_to_skip bigint
) LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  folded_until bigint;
  boundary record;
  lowest_created_at timestamptz := '-infinity';
  lowest_id integer := -2147483648;
  passed bigint;
BEGIN
  below_created_at := 'infinity';
  below_id := 2147483647;
  left_to_skip := skipped;
  SELECT list.total, list.unfolded, folded_to INTO total, unfolded, folded_until
    FROM list_total(of_table, of_list) AS list, kept_tables WHERE table_name = of_table;
  IF total IS NULL THEN
    RETURN;
  END IF;
  IF skipped >= total THEN
    below_created_at := '-infinity';
    below_id := -2147483648;
    left_to_skip := 0;
    RETURN;
  END IF;
  FOR of_height IN REVERSE 1..0 LOOP
    passed := 0;
    -- Segments and changes in one descending order: at a segment's position, the sum is the number of rows
    -- from there on.
    FOR boundary IN
      SELECT * FROM (
        SELECT created_at, id, is_segment, sum(amount) OVER (ORDER BY created_at DESC, id DESC) AS rows
        FROM (
          SELECT from_created_at AS created_at, from_id AS id, true AS is_segment, count AS amount
          FROM list_segments
          WHERE table_name = of_table AND list = of_list AND height = of_height
            AND (from_created_at, from_id) >= (lowest_created_at, lowest_id)
            AND (from_created_at, from_id) < (below_created_at, below_id)
          UNION ALL
          SELECT created_at, row_id, false, amount
          FROM list_changes
          WHERE table_name = of_table AND id > folded_until AND of_list = ANY (lists)
            AND (created_at, row_id) >= (lowest_created_at, lowest_id)
            AND (created_at, row_id) < (below_created_at, below_id)
        ) AS points
      ) AS sums WHERE is_segment ORDER BY created_at DESC, id DESC
    LOOP
      lowest_created_at := boundary.created_at;
      lowest_id := boundary.id;
      EXIT WHEN boundary.rows > left_to_skip;
      below_created_at := boundary.created_at;
      below_id := boundary.id;
      passed := boundary.rows;
    END LOOP;
    left_to_skip := left_to_skip - passed;
  END LOOP;
END
$$;

-- Counts the rows of a list from one position up to another (exclusive) into new segments of height 0, in
-- the place of those that are there. Changes that are not folded yet are left out. Returns the rows.
CREATE FUNCTION count_segments(
  of_table text, of_list text, lower_created_at timestamptz, lower_id integer,
  upper_created_at timestamptz, upper_id integer
) RETURNS bigint LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  counted bigint;
BEGIN
  DELETE FROM list_segments
  WHERE table_name = of_table AND list = of_list AND height = 0
    AND (from_created_at, from_id) >= (lower_created_at, lower_id)
    AND (from_created_at, from_id) < (upper_created_at, upper_id);
  -- One statement, so that the rows and the changes are of one snapshot.
  EXECUTE format($count$
    WITH changes AS MATERIALIZED (
      SELECT created_at, row_id AS id, amount FROM list_changes
      WHERE table_name = $1 AND $2 = ANY (lists)
        AND id > (SELECT folded_to FROM kept_tables WHERE table_name = $1)
    ),
    numbered AS (
      SELECT created_at, id, row_number() OVER (ORDER BY created_at, id) - 1 AS place FROM %1$I
      WHERE %2$s AND (created_at, id) >= ($3, $4) AND (created_at, id) < ($5, $6)
    ),
    starts AS (
      SELECT *, lead(place) OVER byplace AS next_place,
        lead(created_at, 1, $5) OVER byplace AS next_created_at, lead(id, 1, $6) OVER byplace AS next_id
      FROM (SELECT $3 AS created_at, $4 AS id, 0 AS place
            UNION ALL SELECT * FROM numbered WHERE place > 0 AND place %% 1000 = 0) AS positions
      WINDOW byplace AS (ORDER BY place)
    ),
    inserted AS (
      INSERT INTO list_segments (table_name, list, height, from_created_at, from_id, count)
      SELECT $1, $2, 0, created_at, id,
        coalesce(next_place - place, (
          SELECT count(*) FROM %1$I AS t
          WHERE %2$s AND (t.created_at, t.id) >= (starts.created_at, starts.id) AND (t.created_at, t.id) < ($5, $6)
        )) - coalesce((
          SELECT sum(amount) FROM changes AS c
          WHERE (c.created_at, c.id) >= (starts.created_at, starts.id)
            AND (c.created_at, c.id) < (next_created_at, next_id)
        ), 0)
      FROM starts RETURNING count
    )
    SELECT sum(count) FROM inserted
  $count$, of_table, list_condition(of_list)) INTO counted
  USING of_table, of_list, lower_created_at, lower_id, upper_created_at, upper_id;
  RETURN counted;
END
$$;

-- Merges small segments of height 0, and computes those above from them.
CREATE FUNCTION group_segments(of_table text, of_list text) RETURNS void LANGUAGE sql AS $$
  WITH numbered AS (
    SELECT from_created_at, from_id, count, lag(count) OVER byposition AS previous,
      (sum(count) OVER byposition - count)::bigint / 1000 AS part
    FROM list_segments WHERE table_name = of_table AND list = of_list AND height = 0
    WINDOW byposition AS (ORDER BY from_created_at, from_id)
  ),
  marked AS (
    SELECT *, previous IS NULL OR count >= 250 OR previous >= 250
      OR part <> lag(part) OVER (ORDER BY from_created_at, from_id) AS stays
    FROM numbered
  ),
  merged AS (
    SELECT *, sum(count) OVER (PARTITION BY kept) AS total, count(*) OVER (PARTITION BY kept) AS segments
    FROM (SELECT *, count(*) FILTER (WHERE stays) OVER (ORDER BY from_created_at, from_id) AS kept
          FROM marked) AS counted
  ),
  deleted AS (
    DELETE FROM list_segments AS s USING merged AS m
    WHERE table_name = of_table AND list = of_list AND height = 0 AND NOT stays
      AND (s.from_created_at, s.from_id) = (m.from_created_at, m.from_id)
  )
  UPDATE list_segments AS s SET count = total FROM merged AS m
  WHERE table_name = of_table AND list = of_list AND height = 0 AND stays AND segments > 1
    AND (s.from_created_at, s.from_id) = (m.from_created_at, m.from_id);

  DELETE FROM list_segments WHERE table_name = of_table AND list = of_list AND height > 0;

  WITH numbered AS (
    SELECT from_created_at, from_id, count,
      (sum(count) OVER (ORDER BY from_created_at, from_id) - count)::bigint / 50000 AS part
    FROM list_segments WHERE table_name = of_table AND list = of_list AND height = 0
  )
  INSERT INTO list_segments (table_name, list, height, from_created_at, from_id, count)
  SELECT DISTINCT ON (part) of_table, of_list, 1, from_created_at, from_id, sum(count) OVER (PARTITION BY part)
  FROM numbered ORDER BY part, from_created_at, from_id;

  INSERT INTO list_segments (table_name, list, height, from_created_at, from_id, count)
  SELECT of_table, of_list, 2, '-infinity', -2147483648, sum(count)
  FROM list_segments WHERE table_name = of_table AND list = of_list AND height = 1;
$$;

-- Gives the transaction the sole right to change what is kept of a table; false if another one has it.
CREATE FUNCTION begin_keeping(of_table text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- The table first, because a TRUNCATE that has it would wait for what the transaction changes.
  EXECUTE format('LOCK TABLE %I IN ACCESS SHARE MODE NOWAIT', of_table);
  PERFORM FROM kept_tables WHERE table_name = of_table FOR UPDATE SKIP LOCKED;
  RETURN FOUND;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END
$$;

-- Counts all lists of a table anew. Nobody waits for it, and readers count for themselves until it has
-- committed. False if another session is folding or counting.
CREATE FUNCTION count_lists(of_table text) RETURNS boolean LANGUAGE plpgsql AS $$
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

-- Folds all changes that it sees, and returns their number; 0 as well if another session does it. It returns
-- null and does nothing if there are more than `most`, or if the lists must be counted with count_lists.
CREATE FUNCTION fold_changes(of_table text, most integer) RETURNS integer
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  kept kept_tables;
  reached bigint;
  folded integer;
  grown text[];
  shrunk text[];
  segment record;
BEGIN
  -- Ids up to this one belong to transactions before the one that this function gets when it begins.
  IF pg_current_xact_id_if_assigned() IS NULL THEN
    SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO reached FROM list_changes_id_seq;
  END IF;
  IF NOT begin_keeping(of_table) THEN
    RETURN 0;
  END IF;
  SELECT * INTO kept FROM kept_tables WHERE table_name = of_table;
  IF NOT kept.is_counted
    OR EXISTS (SELECT FROM list_changes
               WHERE table_name = of_table AND id > kept.folded_to AND lists = '{}')
    OR EXISTS (SELECT FROM list_changes WHERE table_name = of_table AND id > kept.folded_to OFFSET most)
  THEN
    RETURN NULL;
  END IF;

  -- A transaction id in the future comes from the cluster that a dump was made of.
  IF pg_snapshot_xmin(pg_current_snapshot()) < kept.next_xid AND kept.next_xid <= pg_current_xact_id() THEN
    reached := NULL;
  END IF;

  WITH folded AS (
    DELETE FROM list_changes WHERE table_name = of_table AND id > kept.folded_to
    RETURNING created_at, row_id, lists, amount
  ),
  moved AS (
    SELECT list, created_at, row_id, sum(folded.amount) AS amount
    FROM folded, unnest(lists) AS list GROUP BY 1, 2, 3 HAVING sum(folded.amount) <> 0
  ),
  low AS (
    SELECT moved.list, coalesce(s.from_created_at, '-infinity') AS from_created_at,
      coalesce(s.from_id, -2147483648) AS from_id, sum(amount) AS amount
    FROM moved LEFT JOIN LATERAL (
      SELECT from_created_at, from_id FROM list_segments
      WHERE table_name = of_table AND list = moved.list AND height = 0
        AND (from_created_at, from_id) <= (moved.created_at, moved.row_id)
      ORDER BY from_created_at DESC, from_id DESC LIMIT 1
    ) AS s ON true
    GROUP BY 1, 2, 3
  ),
  high AS (
    SELECT low.list, coalesce(s.from_created_at, '-infinity') AS from_created_at,
      coalesce(s.from_id, -2147483648) AS from_id, sum(amount) AS amount
    FROM low LEFT JOIN LATERAL (
      SELECT from_created_at, from_id FROM list_segments
      WHERE table_name = of_table AND list = low.list AND height = 1
        AND (from_created_at, from_id) <= (low.from_created_at, low.from_id)
      ORDER BY from_created_at DESC, from_id DESC LIMIT 1
    ) AS s ON true
    GROUP BY 1, 2, 3
  ),
  changed AS (
    INSERT INTO list_segments AS s (table_name, list, height, from_created_at, from_id, count)
    SELECT of_table, list, 0, from_created_at, from_id, amount FROM low
    UNION ALL SELECT of_table, list, 1, from_created_at, from_id, amount FROM high
    UNION ALL SELECT of_table, list, 2, '-infinity', -2147483648, sum(amount) FROM high GROUP BY list
    ON CONFLICT (table_name, list, height, from_created_at, from_id)
      DO UPDATE SET count = s.count + excluded.count
    RETURNING list, height, count
  )
  SELECT (SELECT count(*) FROM folded), array_agg(DISTINCT list) FILTER (WHERE count > 2000),
      array_agg(DISTINCT list) FILTER (WHERE count < 250)
    INTO folded, grown, shrunk FROM changed WHERE height = 0;

  FOR segment IN
    SELECT * FROM (
      SELECT list, from_created_at, from_id, count,
        lead(from_created_at, 1, 'infinity') OVER byposition AS next_created_at,
        lead(from_id, 1, 2147483647) OVER byposition AS next_id
      FROM list_segments WHERE table_name = of_table AND list = ANY (grown) AND height = 0
      WINDOW byposition AS (PARTITION BY list ORDER BY from_created_at, from_id)
    ) AS segments WHERE count > 2000
  LOOP
    IF count_segments(of_table, segment.list, segment.from_created_at, segment.from_id,
      segment.next_created_at, segment.next_id) <> segment.count
    THEN
      -- Rows were changed without the triggers, so nothing that was counted holds any longer.
      UPDATE kept_tables SET is_counted = false WHERE table_name = of_table;
      RETURN NULL;
    END IF;
  END LOOP;
  PERFORM group_segments(of_table, list) FROM (
    SELECT unnest(grown) AS list
    UNION
    -- Lists of many small segments.
    SELECT list FROM list_segments WHERE table_name = of_table AND list = ANY (shrunk) AND height = 0
    GROUP BY list HAVING count(*) > 8 + sum(count) / 200
  ) AS uneven;

  UPDATE kept_tables
  SET folded_to = next_to, next_to = reached, next_xid = pg_current_xact_id()
  WHERE table_name = of_table AND reached IS NOT NULL;
  RETURN folded;
END
$$;

-- Compares the segments of a list with its rows, and returns those that differ.
CREATE FUNCTION list_faults(of_table text, of_list text)
RETURNS TABLE (height smallint, from_created_at timestamptz, from_id integer, kept bigint, counted bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY EXECUTE format($check$
    WITH changes AS MATERIALIZED (
      SELECT created_at, row_id AS id, amount FROM list_changes
      WHERE table_name = $1 AND $2 = ANY (lists)
        AND id > (SELECT folded_to FROM kept_tables WHERE table_name = $1)
    ),
    segments AS MATERIALIZED (
      SELECT *, lead(from_created_at, 1, 'infinity') OVER byposition AS next_created_at,
        lead(from_id, 1, 2147483647) OVER byposition AS next_id
      FROM (SELECT height, from_created_at, from_id, count FROM list_segments
            WHERE table_name = $1 AND list = $2
            UNION ALL SELECT 0::smallint, '-infinity', -2147483648, 0
            WHERE NOT EXISTS (SELECT FROM list_segments WHERE table_name = $1 AND list = $2 AND height = 0)) AS stored
      WINDOW byposition AS (PARTITION BY height ORDER BY from_created_at, from_id)
    ),
    low AS MATERIALIZED (
      SELECT *, (SELECT count(*) FROM %1$I AS t
                 WHERE %2$s AND (t.created_at, t.id) >= (from_created_at, from_id)
                   AND (t.created_at, t.id) < (next_created_at, next_id)) AS counted
      FROM segments WHERE height = 0
    ),
    counts AS (
      SELECT height, from_created_at, from_id, counted, count + coalesce((
          SELECT sum(amount)::bigint FROM changes AS c
          WHERE (c.created_at, c.id) >= (from_created_at, from_id)
            AND (c.created_at, c.id) < (next_created_at, next_id)
        ), 0) AS kept
      FROM (SELECT * FROM low
            UNION ALL
            SELECT *, (SELECT sum(counted)::bigint FROM low
                       WHERE (low.from_created_at, low.from_id) >= (segments.from_created_at, segments.from_id)
                         AND (low.from_created_at, low.from_id) < (segments.next_created_at, segments.next_id))
            FROM segments WHERE height > 0) AS counted
    )
    SELECT height, from_created_at, from_id, kept, counted FROM counts
    WHERE kept IS DISTINCT FROM counted ORDER BY height DESC, from_created_at, from_id
  $check$, of_table, list_condition(of_list)) USING of_table, of_list;
END
$$;

-- Creating a trigger needs a moment without writers. It must not keep others waiting behind one of them.
DO $$
BEGIN
  FOR attempt IN 1..100 LOOP
    BEGIN
      SET LOCAL lock_timeout = '300ms';
      LOCK TABLE products, orders IN SHARE ROW EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 100 THEN
        RAISE EXCEPTION 'products and orders could not be locked for a moment, because a transaction that changes them has been open for a minute; try again when it has ended';
      END IF;
      PERFORM pg_sleep(0.3);
    END;
  END LOOP;
END
$$;

CREATE TRIGGER keep_lists_of_inserted AFTER INSERT ON orders
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION append_order_changes();
CREATE TRIGGER keep_lists_of_updated AFTER UPDATE ON orders
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION append_order_changes();
CREATE TRIGGER keep_lists_of_deleted AFTER DELETE ON orders
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION append_order_changes();
CREATE TRIGGER keep_lists_of_truncated AFTER TRUNCATE ON orders
  FOR EACH STATEMENT EXECUTE FUNCTION append_order_changes();

CREATE TRIGGER keep_lists_of_inserted AFTER INSERT ON products
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION append_product_changes();
CREATE TRIGGER keep_lists_of_updated AFTER UPDATE ON products
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION append_product_changes();
CREATE TRIGGER keep_lists_of_deleted AFTER DELETE ON products
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION append_product_changes();
CREATE TRIGGER keep_lists_of_truncated AFTER TRUNCATE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION append_product_changes();

-- Tables with rows are counted by the service, after this transaction.
INSERT INTO kept_tables (table_name, is_counted) VALUES
  ('orders', NOT EXISTS (SELECT FROM orders)), ('products', NOT EXISTS (SELECT FROM products));
