DO $$
BEGIN
  EXECUTE format('ALTER ROLE %I IN DATABASE %I RESET search_path',
    current_user, current_database());
  EXECUTE format('ALTER ROLE %I IN DATABASE %I RESET default_transaction_isolation',
    current_user, current_database());
END
$$;
