DELETE FROM order_counts;
