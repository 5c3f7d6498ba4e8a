DROP INDEX products_of_category_by_price;
DROP INDEX products_of_category_by_name;
DROP INDEX products_by_price;
DROP INDEX products_by_name;
DROP INDEX products_newest_of_activity;
DROP INDEX products_search;
ALTER TABLE products DROP COLUMN search_text;
DROP FUNCTION containing(text);
DROP FUNCTION searchable(text);
-- The extensions stay: they may have been there before, and others may use them.
