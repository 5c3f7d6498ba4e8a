DROP TRIGGER keep_prices_of_updated ON products;
DROP TRIGGER keep_prices_of_inserted ON products;
DROP FUNCTION keep_prices();
DROP TABLE product_prices;
