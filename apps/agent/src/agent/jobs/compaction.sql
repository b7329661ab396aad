-- name: claim_next
-- Lease the user who has been due for longest; unless it is rescheduled, the user is due again when the lease expires.
UPDATE users SET upkeep_at = now() + make_interval(secs => %(lease_seconds)s)
WHERE id = (
    SELECT id FROM users
    WHERE upkeep_at <= now()
    ORDER BY upkeep_at
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
)
RETURNING id, memory_enabled, upkeep_at;

-- name: renew_lease
-- Extend a lease; no row if the user was rescheduled or claimed by another process.
UPDATE users SET upkeep_at = now() + make_interval(secs => %(lease_seconds)s)
WHERE id = %(user)s AND upkeep_at = %(leased_until)s
RETURNING upkeep_at;

-- name: finish
-- Replace a lease by the time of the user's next compaction. A due time that was set in the meantime is kept.
UPDATE users SET upkeep_at = %(at)s WHERE id = %(user)s AND upkeep_at = %(leased_until)s;

-- name: schedule
-- Set the time of a user's next compaction.
UPDATE users SET upkeep_at = %(at)s WHERE id = %(user)s;

-- name: schedule_purge
-- Make a user due after the undo period, or earlier; any change of the time also ends a lease, whose purge may be over.
UPDATE users
SET upkeep_at = least(upkeep_at - interval '1 microsecond', now() + make_interval(secs => %(seconds)s))
WHERE id = %(user)s;

-- name: purge_recalled
-- Delete purged memories from the lists of memories that were recalled for replies.
UPDATE messages
SET memories = (
    SELECT coalesce(jsonb_agg(memory), '[]') FROM jsonb_array_elements(memories) AS memory
    WHERE memory ->> 'id' <> ALL(%(memories)s)
)
WHERE user_id = %(user)s AND jsonb_typeof(memories) = 'array' AND EXISTS (
    SELECT FROM jsonb_array_elements(memories) AS memory WHERE memory ->> 'id' = ANY(%(memories)s)
);

-- name: purge_standing
-- Delete the standing parts of the user's threads, which may contain purged memories; the next turn writes them again.
DELETE FROM checkpoint_blobs
WHERE channel = 'standing' AND thread_id IN (SELECT %(user)s || '/' || id FROM threads WHERE user_id = %(user)s);
