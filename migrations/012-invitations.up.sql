-- Accounts of administrators who have not chosen a password yet, and who are invited to.
ALTER TABLE admins ALTER COLUMN password_hash DROP NOT NULL;

CREATE TABLE invitations (
  admin_id integer PRIMARY KEY REFERENCES admins ON DELETE CASCADE,
  -- The HMAC of the token, which is only in the link.
  digest bytea NOT NULL CONSTRAINT invitations_digest_key UNIQUE,
  ends_at timestamptz(3) NOT NULL,
  CONSTRAINT invitations_times
    CHECK (ends_at >= '0001-01-01 00:00:00+00' AND ends_at < '10000-01-01 00:00:00+00')
);

-- That one is accepted is told by the account's own entry.
CREATE TRIGGER record_changes AFTER INSERT OR UPDATE ON invitations
  FOR EACH ROW EXECUTE FUNCTION record_second_factor('invitation', 'ends_at');
