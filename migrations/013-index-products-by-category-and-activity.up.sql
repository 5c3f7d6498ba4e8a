-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS products_newest_of_category_and_activity
  ON products (category_id, is_active, created_at DESC, id DESC);
