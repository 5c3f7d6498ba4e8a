DROP FUNCTION count_version(), refuse_changed_id(), request_of_change(), is_by_service(), trusted_origin(),
  text_of(timestamptz);
DO $$
BEGIN
  EXECUTE format('ALTER ROLE %I IN DATABASE %I RESET statement_timeout', current_user, current_database());
  EXECUTE format('ALTER ROLE %I IN DATABASE %I RESET idle_in_transaction_session_timeout',
    current_user, current_database());
  EXECUTE format('ALTER ROLE %I IN DATABASE %I RESET default_transaction_isolation',
    current_user, current_database());
  EXECUTE format('ALTER ROLE %I IN DATABASE %I RESET search_path', current_user, current_database());
END
$$;
-- The extensions stay: they may have been there before, and others may use them.
