DELETE FROM customer_addresses;
