-- In a transaction after that of the triggers, which holds a lock on orders: this one reads beside their writers.
-- Orders that are placed meanwhile may store an address once more.
INSERT INTO customer_addresses (address)
SELECT DISTINCT lower(customer_email) FROM orders
EXCEPT ALL
SELECT DISTINCT address FROM customer_addresses;
