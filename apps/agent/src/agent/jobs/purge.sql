-- name: schedule
-- Purge a user once the undo period is over, or earlier. Any change of the time also ends a lease.
UPDATE users
SET purge_at = least(purge_at - interval '1 microsecond', now() + make_interval(secs => %(seconds)s))
WHERE id = %(user)s;

-- name: claim_next
-- Lease the user who has been due for longest; unless it is rescheduled, the user is due again when the lease expires.
UPDATE users SET purge_at = now() + make_interval(secs => %(lease_seconds)s)
WHERE id = (SELECT id FROM users WHERE purge_at <= now() ORDER BY purge_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING id, purge_at;

-- name: finish
-- Replace a lease by the time of the next purge, null for none. A time that was set in the meantime is kept.
UPDATE users SET purge_at = %(at)s WHERE id = %(user)s AND purge_at = %(leased_until)s;

-- name: delete_recalled
-- Delete purged memories from the lists of memories that were recalled for replies.
UPDATE messages
SET memories = (
    SELECT coalesce(jsonb_agg(memory), '[]') FROM jsonb_array_elements(memories) AS memory
    WHERE memory ->> 'id' <> ALL(%(memories)s)
)
WHERE user_id = %(user)s AND jsonb_typeof(memories) = 'array' AND EXISTS (
    SELECT FROM jsonb_array_elements(memories) AS memory WHERE memory ->> 'id' = ANY(%(memories)s)
);

-- name: delete_standing
-- Delete the standing parts of the user's threads, which may contain purged memories; the next turn writes them again.
DELETE FROM checkpoint_blobs
WHERE channel = 'standing' AND thread_id IN (SELECT %(user)s || '/' || id FROM threads WHERE user_id = %(user)s);
