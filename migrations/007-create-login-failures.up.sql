-- The table of rate-limiter-flexible's PostgreSQL store; keys are hashes, expire is in milliseconds since 1970.
CREATE TABLE login_failures (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

CREATE INDEX login_failures_oldest ON login_failures (expire);
