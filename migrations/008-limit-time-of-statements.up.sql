-- The server's own time-outs, for statements and transactions that a client no longer waits for. Set for
-- the role, as a pooler in transaction mode lets no client set them. Migrations and seeding switch them off.
DO $$
BEGIN
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = %L',
    current_user, current_database(), '5s');
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET idle_in_transaction_session_timeout = %L',
    current_user, current_database(), '5s');
END
$$;
