SET LOCAL lock_timeout = '150ms';
DROP TRIGGER refuse_changed_id ON categories;
DROP TRIGGER refuse_changed_id ON products;
DROP TRIGGER refuse_changed_id ON orders;
DROP TRIGGER refuse_changed_id ON newsletter_subscribers;
DROP TRIGGER refuse_changed_id ON admins;
DROP TRIGGER refuse_changed_id ON webhook_endpoints;
DROP FUNCTION refuse_changed_id();
