CREATE TABLE idempotency_keys (
  key text COLLATE "C" PRIMARY KEY
    CONSTRAINT idempotency_keys_key_length CHECK (char_length(key) BETWEEN 1 AND 255),
  -- SHA-256 of the request that the key was first used for, in hexadecimal.
  fingerprint text NOT NULL,
  order_id integer NOT NULL
    CONSTRAINT idempotency_keys_order_id_fkey REFERENCES orders (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE INDEX idempotency_keys_oldest ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_of_order ON idempotency_keys (order_id);
