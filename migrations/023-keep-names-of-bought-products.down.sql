DROP TRIGGER keep_bought_product ON order_items;
DROP FUNCTION keep_bought_product();
ALTER TABLE order_items DROP COLUMN product_name, DROP COLUMN product_slug;
