-- A large import spent more time on finding what has changed than on storing rows. What is the same for all rows of a
-- statement is found once from here on, and the rest in the statement that writes the entries: a function with a query of
-- its own is started anew for each row.

-- GraphQL's names of columns, in their order. They don't depend on the language of the database: in Turkish, the capital
-- of i has a dot.
CREATE FUNCTION fields_of(columns text[]) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT CASE name WHEN 'password_hash' THEN 'password' ELSE
      left(name, 1) || substr(replace(initcap(replace(name, '_', ' ') COLLATE "C"), ' ', ''), 2) END
    FROM unnest(columns) WITH ORDINALITY AS listed (name, place) ORDER BY place);
END
$$;

-- How an entry shows the values of columns: as they are, as a time, or, if they are secret, not at all.
CREATE FUNCTION kinds_of(columns text[]) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT CASE WHEN name = 'password_hash' THEN 'secret' WHEN right(name, 3) = '_at' THEN 'time' ELSE 'text' END
    FROM unnest(columns) WITH ORDINALITY AS listed (name, place) ORDER BY place);
END
$$;
REVOKE EXECUTE ON FUNCTION fields_of(text[]), kinds_of(text[]) FROM PUBLIC;

-- What a change of a row is in an entry, for statements of few rows; null where nothing has changed.
CREATE OR REPLACE FUNCTION changes_between(before jsonb, after jsonb, columns text[]) RETURNS jsonb
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_agg(jsonb_build_object('field', field,
      'before', CASE kind WHEN 'text' THEN before->>name WHEN 'time' THEN text_of((before->>name)::timestamptz) END,
      'after', CASE kind WHEN 'text' THEN after->>name WHEN 'time' THEN text_of((after->>name)::timestamptz) END))
    FROM unnest(columns, fields_of(columns), kinds_of(columns)) AS listed (name, field, kind)
    WHERE before->>name IS DISTINCT FROM after->>name);
END
$$;

-- As in 028, with changes_between() written out. Only the rows differ in the three statements.
DO $migration$
DECLARE
  entries text := $statement$
    INSERT INTO audit_entries
      (actor, door, operation, subject, subject_id, changes, address, request_id, source)
    SELECT coalesce(origin->>'actor', session_user), coalesce(origin->>'door', 'DATABASE'),
      coalesce(origin->>'operation', TG_OP), TG_ARGV[0], id, to_jsonb(changes),
      origin->>'address', origin->>'requestId', origin->>'source'
    FROM (
      SELECT id, ARRAY(
        SELECT jsonb_build_object('field', field,
          'before', CASE kind WHEN 'text' THEN before->>name WHEN 'time' THEN text_of((before->>name)::timestamptz) END,
          'after', CASE kind WHEN 'text' THEN after->>name WHEN 'time' THEN text_of((after->>name)::timestamptz) END)
        FROM unnest(columns, fields, kinds) AS listed (name, field, kind)
        WHERE before->>name IS DISTINCT FROM after->>name) AS changes
      FROM (SELECT id, %s OFFSET 0) AS changed_rows
      OFFSET 0) AS changed
    WHERE changes <> '{}' ORDER BY id;$statement$;
BEGIN
  EXECUTE format($function$
    CREATE OR REPLACE FUNCTION record_changes() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = %4$I, pg_temp AS $body$
    DECLARE
      origin jsonb;
      columns text[];
      fields text[];
      kinds text[];
    BEGIN
      -- The service stores only customers' orders and subscriptions: these are no entries. Each order passes here, so this
      -- comes before anything else.
      IF TG_OP = 'INSERT' AND TG_ARGV[0] IN ('ORDER', 'NEWSLETTER_SUBSCRIBER') AND session_user = current_user
          AND current_setting('tea_shop.origin', true) <> '' THEN
        RETURN NULL;
      END IF;
      origin := trusted_origin();
      IF origin IS NOT NULL AND origin->>'actor' IS NULL THEN
        RETURN NULL;
      END IF;
      columns := audited_columns(TG_RELID, TG_ARGV[1:]);
      fields := fields_of(columns);
      kinds := kinds_of(columns);
      IF TG_OP = 'INSERT' THEN%1$s
      ELSIF TG_OP = 'UPDATE' THEN%2$s
      ELSE%3$s
      END IF;
      RETURN NULL;
    END
    $body$
    $function$,
    format(entries, 'NULL::jsonb AS before, to_jsonb(created) AS after FROM new_rows AS created'),
    format(entries, 'to_jsonb(old_row) AS before, to_jsonb(new_row) AS after
        FROM old_rows AS old_row FULL JOIN new_rows AS new_row USING (id)'),
    format(entries, 'to_jsonb(deleted) AS before, NULL::jsonb AS after FROM old_rows AS deleted'),
    current_schema());
END
$migration$;

-- As in 027. Rows are compared as they are where that is enough, because comparing them as JSON takes three times as long.
CREATE OR REPLACE FUNCTION count_version() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  is_changed boolean;
  is_raised boolean := pg_trigger_depth() > 1 AND NEW.version <> OLD.version;
  unchanged record := OLD;
BEGIN
  NEW.version := OLD.version;
  IF TG_ARGV <@ '{version,updated_at,search_text}' THEN
    IF 'updated_at' = ANY (TG_ARGV) THEN unchanged.updated_at := NEW.updated_at; END IF;
    IF 'search_text' = ANY (TG_ARGV) THEN unchanged.search_text := NEW.search_text; END IF;
    is_changed := unchanged IS DISTINCT FROM NEW;
  ELSE
    is_changed := to_jsonb(NEW) - TG_ARGV IS DISTINCT FROM to_jsonb(OLD) - TG_ARGV;
  END IF;
  IF is_raised OR is_changed THEN
    NEW.version := OLD.version + 1;
  END IF;
  RETURN NEW;
END
$$;
