-- Versions, events, prices and entries of the audit log are found by the id of their subject, so it stays what it is.
CREATE FUNCTION refuse_changed_id() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the id of a row of % can not be changed', TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation', HINT = 'Insert a new row, and delete this one.';
END
$$;
REVOKE EXECUTE ON FUNCTION refuse_changed_id() FROM PUBLIC;

SET LOCAL lock_timeout = '150ms';
LOCK TABLE categories, products, orders, newsletter_subscribers, admins, webhook_endpoints
  IN SHARE ROW EXCLUSIVE MODE;
CREATE TRIGGER refuse_changed_id BEFORE UPDATE OF id ON categories
  FOR EACH ROW WHEN (NEW.id <> OLD.id) EXECUTE FUNCTION refuse_changed_id();
CREATE TRIGGER refuse_changed_id BEFORE UPDATE OF id ON products
  FOR EACH ROW WHEN (NEW.id <> OLD.id) EXECUTE FUNCTION refuse_changed_id();
CREATE TRIGGER refuse_changed_id BEFORE UPDATE OF id ON orders
  FOR EACH ROW WHEN (NEW.id <> OLD.id) EXECUTE FUNCTION refuse_changed_id();
CREATE TRIGGER refuse_changed_id BEFORE UPDATE OF id ON newsletter_subscribers
  FOR EACH ROW WHEN (NEW.id <> OLD.id) EXECUTE FUNCTION refuse_changed_id();
CREATE TRIGGER refuse_changed_id BEFORE UPDATE OF id ON admins
  FOR EACH ROW WHEN (NEW.id <> OLD.id) EXECUTE FUNCTION refuse_changed_id();
CREATE TRIGGER refuse_changed_id BEFORE UPDATE OF id ON webhook_endpoints
  FOR EACH ROW WHEN (NEW.id <> OLD.id) EXECUTE FUNCTION refuse_changed_id();
