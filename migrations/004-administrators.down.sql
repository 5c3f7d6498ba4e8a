DROP TABLE login_failures, admins;
