DROP TABLE catalogue_state, catalogue_changes, product_prices, products, categories;
DROP FUNCTION
  record_catalogue_change(), record_withdrawn_price(), keep_prices(), containing(text), searchable(text);
