-- Whether an order was stored under an idempotency key, even if the key has expired. In PL/pgSQL, which keeps its
-- plan, and without sequential scans: a plan from the time of few keys would read all of them for each order.
CREATE FUNCTION key_is_used(wanted text) RETURNS boolean LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
  RETURN EXISTS (SELECT FROM idempotency_keys WHERE key = wanted);
END
$$;
REVOKE EXECUTE ON FUNCTION key_is_used(text) FROM PUBLIC;
