-- name: prune_checkpoints
-- Delete the checkpoints of a thread before its latest one.
DELETE FROM checkpoints
WHERE thread_id = %(thread)s AND checkpoint_ns = %(ns)s AND checkpoint_id < %(checkpoint)s;

-- name: prune_writes
-- Delete the writes before the latest checkpoint, which contains them.
DELETE FROM checkpoint_writes
WHERE thread_id = %(thread)s AND checkpoint_ns = %(ns)s AND checkpoint_id < %(checkpoint)s;

-- name: prune_blobs
-- Delete the values of a thread that its latest checkpoint does not refer to.
DELETE FROM checkpoint_blobs
WHERE thread_id = %(thread)s
  AND checkpoint_ns = %(ns)s
  AND version IS DISTINCT FROM %(versions)s::jsonb ->> channel;

-- name: index_users
-- Let the checkpoints of a user be found by index; without it, erasing an account would read those of all users.
CREATE INDEX IF NOT EXISTS checkpoints_of_user ON checkpoints (thread_id text_pattern_ops);
CREATE INDEX IF NOT EXISTS checkpoint_blobs_of_user ON checkpoint_blobs (thread_id text_pattern_ops);
CREATE INDEX IF NOT EXISTS checkpoint_writes_of_user ON checkpoint_writes (thread_id text_pattern_ops);

-- name: are_users_indexed
-- One row if these indexes exist; to create existing ones would wait for other processes.
SELECT WHERE to_regclass('checkpoint_writes_of_user') IS NOT NULL;
