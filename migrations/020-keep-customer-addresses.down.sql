DROP TRIGGER keep_customer_address_of_updated ON orders;
DROP TRIGGER keep_customer_address_of_inserted ON orders;
DROP FUNCTION keep_customer_address();
DROP TABLE customer_addresses;
