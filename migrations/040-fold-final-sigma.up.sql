-- At the end of a word, lower() makes a final sigma of a sigma. A search has words of its own, whose ends need not be those
-- of the text's words, so the two are one letter. As in 005, but for translate().
CREATE OR REPLACE FUNCTION searchable(text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN translate(lower(unaccent('unaccent'::regdictionary, normalize($1, NFKC)) COLLATE "und-x-icu"), 'ς', 'σ');

-- Waits for transactions that have stored products by the old function, such as an import, so that 041 sees them all.
SET LOCAL lock_timeout = '150ms';
LOCK TABLE products IN SHARE ROW EXCLUSIVE MODE;
