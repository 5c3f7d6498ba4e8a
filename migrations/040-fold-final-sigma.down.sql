CREATE OR REPLACE FUNCTION searchable(text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(unaccent('unaccent'::regdictionary, normalize($1, NFKC)) COLLATE "und-x-icu");

UPDATE products SET name = name WHERE search_text LIKE '%σ%';
