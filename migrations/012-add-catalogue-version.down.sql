DROP TRIGGER record_catalogue_change ON products;
DROP TRIGGER record_catalogue_change ON categories;
DROP FUNCTION record_catalogue_change();
DROP TABLE catalogue_state;
DROP TABLE catalogue_changes;
