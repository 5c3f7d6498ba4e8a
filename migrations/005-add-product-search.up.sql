-- Both extensions are trusted: the owner of the database may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- Text without accents and letter case, alike on every database. unaccent alone is only STABLE, as its
-- dictionary could be changed; naming the dictionary makes it fit for an index.
CREATE FUNCTION searchable(text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(unaccent('unaccent'::regdictionary, normalize($1, NFKC)) COLLATE "und-x-icu");

-- The LIKE pattern of texts that contain a word; its % and _ are plain characters.
CREATE FUNCTION containing(text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN '%' || regexp_replace(searchable($1), '([\\%_])', '\\\1', 'g') || '%';

-- Stored, as every row that the index finds is checked against it once more.
ALTER TABLE products
  ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (searchable(name || ' ' || description)) STORED;

CREATE INDEX products_search ON products USING gin (search_text gin_trgm_ops);

CREATE INDEX products_newest_of_activity ON products (is_active, created_at DESC, id DESC);
CREATE INDEX products_by_name ON products (lower(name), id);
CREATE INDEX products_by_price ON products (price, id);
CREATE INDEX products_of_category_by_name ON products (category_id, lower(name), id);
CREATE INDEX products_of_category_by_price ON products (category_id, price, id);
