DROP TRIGGER deliver_events ON events;
DROP FUNCTION deliver_events();
DROP TABLE webhook_deliveries;
DROP TABLE webhook_endpoints;
