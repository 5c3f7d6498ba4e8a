-- What neither the server nor the database may decide, set for the role as a pooler in transaction mode lets
-- no client set it. Stricter isolation fails changes that meet; tables are found where they are now.
DO $$
BEGIN
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET default_transaction_isolation = %L',
    current_user, current_database(), 'read committed');
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET search_path FROM CURRENT',
    current_user, current_database());
END
$$;
