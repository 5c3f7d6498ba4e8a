ALTER FUNCTION append_order_changes() SET search_path FROM CURRENT;
ALTER FUNCTION append_product_changes() SET search_path FROM CURRENT;
