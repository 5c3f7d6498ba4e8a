DROP TABLE admins;
