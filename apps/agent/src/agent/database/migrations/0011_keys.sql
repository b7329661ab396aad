-- Personal keys, as SHA-256 of random values that only their users know.
CREATE TABLE keys (
    user_id      text NOT NULL REFERENCES users ON DELETE CASCADE,
    id           uuid NOT NULL,
    name         text NOT NULL,
    hash         bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    PRIMARY KEY (user_id, id)
);
