DROP TABLE products;
DROP TABLE categories;
