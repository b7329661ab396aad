-- Runs: one reply to one message. The process renews busy_until; any process may end a run whose lease has expired.
CREATE TABLE runs (
    user_id      text NOT NULL,
    id           uuid NOT NULL,
    thread_id    uuid NOT NULL,
    message_id   uuid NOT NULL,
    status       text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'completed', 'cancelled', 'failed')),
    busy_until   timestamptz NOT NULL,
    cancel_asked boolean NOT NULL DEFAULT false,
    began_at     timestamptz NOT NULL DEFAULT now(),
    ended_at     timestamptz,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_run_a_thread ON runs (user_id, thread_id) WHERE status = 'running';
CREATE INDEX runs_of_thread ON runs (user_id, thread_id, began_at);
CREATE INDEX runs_going ON runs (busy_until) WHERE status = 'running';
CREATE INDEX runs_ended ON runs (ended_at) WHERE status <> 'running';

-- The events of runs, kept for a limited time. events and chars are the position after the row: the number of events
-- other than tokens, and of characters of text. Consecutive tokens are merged.
CREATE TABLE run_events (
    user_id text NOT NULL,
    run_id  uuid NOT NULL,
    events  integer NOT NULL,
    chars   integer NOT NULL,
    name    text NOT NULL,
    data    jsonb NOT NULL,
    PRIMARY KEY (user_id, run_id, events, chars),
    FOREIGN KEY (user_id, run_id) REFERENCES runs ON DELETE CASCADE
);

-- status: how the reply ended. seen: the checkpoint contains the message; missing ones are added by the next turn.
ALTER TABLE messages
    ADD COLUMN status text NOT NULL DEFAULT 'completed' CHECK (status IN ('completed', 'cancelled', 'failed')),
    ADD COLUMN seen   boolean NOT NULL DEFAULT true;
CREATE INDEX messages_unseen ON messages (user_id, thread_id) WHERE NOT seen;

-- Threads are held by runs now.
ALTER TABLE threads DROP COLUMN run_id, DROP COLUMN busy_until;
