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
