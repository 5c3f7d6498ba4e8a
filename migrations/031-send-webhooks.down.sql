DROP TRIGGER deliver_event ON events;
DROP FUNCTION deliver_event();
DROP TABLE webhook_deliveries;
DROP TABLE webhook_endpoints;
