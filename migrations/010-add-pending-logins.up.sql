-- Logins that are under way count against a limit, but not as failures: each is the time, in milliseconds
-- since 1970, at which it stops counting if its process does not live to settle it. points are the failures
-- until expire; from then on, and where there are none, the row only serves what is pending.
ALTER TABLE login_failures ADD COLUMN pending bigint[] NOT NULL DEFAULT '{}';
