DROP FUNCTION
  tell_categories(), tell_products(), tell_orders(), tell_newsletter_subscribers(), tell_truncation(),
  tell_placed_orders(), keep_new_items(), copy_placed_order(), copy_placed_order_of_item() CASCADE;
DROP FUNCTION
  is_new_order(integer), event_data(events), event_data(orders), event_data(order_items),
  event_data(newsletter_subscribers), event_data(products), event_data(categories);
DROP TABLE events;
DROP FUNCTION customer_in(jsonb);
