DO $$
BEGIN
  EXECUTE format('ALTER ROLE %I IN DATABASE %I RESET statement_timeout',
    current_user, current_database());
  EXECUTE format('ALTER ROLE %I IN DATABASE %I RESET idle_in_transaction_session_timeout',
    current_user, current_database());
END
$$;
