-- Sessions of browsers, as SHA-256 of random values in their cookies.
CREATE TABLE sessions (
    user_id    text NOT NULL REFERENCES users ON DELETE CASCADE,
    hash       bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, hash)
);
