DROP TRIGGER record_withdrawn_price ON product_prices;
DROP FUNCTION record_withdrawn_price();
ALTER TABLE product_prices DROP COLUMN is_withdrawn;
