-- What users have consumed in the current window of time, which starts with the first use and ends at ends_at.
CREATE TABLE usage (
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    meter   text NOT NULL CHECK (meter IN ('requests', 'messages', 'tokens', 'embedded_bytes')),
    used    bigint NOT NULL,
    ends_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, meter)
) WITH (fillfactor = 50);
CREATE INDEX usage_ended ON usage (ends_at);

-- Streams that follow a run. Their process renews expires_at; without it, they no longer count.
CREATE TABLE open_streams (
    user_id    text NOT NULL REFERENCES users ON DELETE CASCADE,
    id         uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX open_streams_expired ON open_streams (expires_at);
