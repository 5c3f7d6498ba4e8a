DROP FUNCTION
  tell_placed_orders(), copy_placed_order(), copy_placed_order_of_item(), keep_new_items(), tell_truncation(),
  tell_categories(), tell_products(), tell_orders(), tell_newsletter_subscribers() CASCADE;
CREATE OR REPLACE FUNCTION is_new_order(order_id integer) RETURNS boolean LANGUAGE sql STABLE
  RETURN EXISTS (
    SELECT FROM audit_entries
    WHERE subject = 'ORDER' AND subject_id = order_id AND operation = 'INSERT'
      AND xmin = pg_current_xact_id()::xid);
DROP FUNCTION
  request_of_change(), is_by_service(), event_data(jsonb, jsonb), event_data(events), event_data(orders),
  event_data(order_items), event_data(newsletter_subscribers), event_data(products), event_data(categories),
  text_of(timestamptz);
DROP TABLE events;
DROP FUNCTION customer_in(jsonb);
CREATE OR REPLACE TRIGGER record_inserted AFTER INSERT ON newsletter_subscribers
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_changes('NEWSLETTER_SUBSCRIBER', 'id');
CREATE OR REPLACE TRIGGER record_updated AFTER UPDATE ON newsletter_subscribers
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_changes('NEWSLETTER_SUBSCRIBER', 'id');
CREATE OR REPLACE TRIGGER record_deleted AFTER DELETE ON newsletter_subscribers
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_changes('NEWSLETTER_SUBSCRIBER', 'id');
CREATE OR REPLACE TRIGGER record_truncated BEFORE TRUNCATE ON newsletter_subscribers
  FOR EACH STATEMENT EXECUTE FUNCTION record_truncation('NEWSLETTER_SUBSCRIBER', 'id');
DROP TRIGGER count_version ON newsletter_subscribers;
ALTER TABLE newsletter_subscribers DROP COLUMN version;
CREATE TRIGGER count_version_of_inserted AFTER INSERT ON order_items
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_version_of_orders();
CREATE TRIGGER record_inserted AFTER INSERT ON order_items
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes_of_items();
CREATE TRIGGER record_inserted AFTER INSERT ON orders
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('ORDER', 'id', 'version');
