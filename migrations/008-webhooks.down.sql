DROP FUNCTION deliver_events() CASCADE;
DROP TABLE webhook_deliveries, webhook_endpoints;
