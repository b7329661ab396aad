-- Users by their opaque label. Deleting a row deletes all of the user's rows in the tables below.
CREATE TABLE users (
    id             text PRIMARY KEY CHECK (id ~ '^[a-z0-9_-]{1,64}$'),
    issuer         text NOT NULL,
    subject        text NOT NULL,
    memory_enabled boolean NOT NULL DEFAULT true,
    created_at     timestamptz NOT NULL DEFAULT now(),
    UNIQUE (issuer, subject)
);

-- Conversations. A run holds a thread until busy_until, which its process renews.
CREATE TABLE threads (
    id         uuid PRIMARY KEY,
    user_id    text NOT NULL REFERENCES users ON DELETE CASCADE,
    title      text NOT NULL DEFAULT '',
    temporary  boolean NOT NULL DEFAULT false,
    run_id     uuid,
    busy_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, id)
);
CREATE INDEX threads_of_user ON threads (user_id, updated_at DESC, id DESC);

-- The transcript, append-only. noted: the message has been added to the inbox, or must not be.
CREATE TABLE messages (
    user_id   text NOT NULL,
    id        uuid NOT NULL,
    thread_id uuid NOT NULL,
    seq       bigint GENERATED ALWAYS AS IDENTITY,
    role      text NOT NULL CHECK (role IN ('user', 'assistant')),
    text      text NOT NULL,
    ts        timestamptz NOT NULL DEFAULT clock_timestamp(),
    reply_to  uuid,
    memories  jsonb,
    usage     jsonb,
    noted     boolean NOT NULL DEFAULT true,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE
);
CREATE INDEX messages_of_thread ON messages (user_id, thread_id, seq);
CREATE UNIQUE INDEX one_reply_a_message ON messages (user_id, reply_to) WHERE reply_to IS NOT NULL;
CREATE INDEX messages_to_note ON messages (user_id) WHERE NOT noted;

-- The formation queue: when a user's inbox is due. No row: nothing is pending.
CREATE TABLE formation (
    user_id     text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    due_at      timestamptz NOT NULL,
    first_at    timestamptz NOT NULL DEFAULT now(),
    attempts    integer NOT NULL DEFAULT 0,
    lease_until timestamptz,
    lease       uuid,
    last_error  text
);
CREATE INDEX formation_due ON formation (due_at);

-- Values of this installation: the key of local sign-in, the embedding model of the stored vectors.
CREATE TABLE installation (
    name  text PRIMARY KEY,
    value text NOT NULL
);
