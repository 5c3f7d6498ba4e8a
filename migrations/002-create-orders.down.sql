DROP TABLE order_items;
DROP TABLE orders;
DROP TYPE order_status;
