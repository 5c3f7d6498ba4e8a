-- A transaction of its own, after that of the triggers: it sees both the orders and what the triggers have counted, in one
-- snapshot, and keeps nobody waiting.
SELECT recount_orders();
