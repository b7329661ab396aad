-- name: prune_checkpoints
-- Delete the checkpoints of a thread that are older than its latest.
DELETE FROM checkpoints
WHERE thread_id = %(thread)s AND checkpoint_ns = %(ns)s AND checkpoint_id < %(checkpoint)s;

-- name: prune_writes
-- Delete what nodes wrote before the latest checkpoint, which holds it.
DELETE FROM checkpoint_writes
WHERE thread_id = %(thread)s AND checkpoint_ns = %(ns)s AND checkpoint_id < %(checkpoint)s;

-- name: prune_blobs
-- Delete the values of a thread that its latest checkpoint does not name.
DELETE FROM checkpoint_blobs
WHERE thread_id = %(thread)s
  AND checkpoint_ns = %(ns)s
  AND version IS DISTINCT FROM %(versions)s::jsonb ->> channel;
