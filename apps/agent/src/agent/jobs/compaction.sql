-- name: claim_next
-- Lease the user who has been due for longest; unless it is rescheduled, the user is due again when the lease expires.
UPDATE users SET compaction_due_at = now() + make_interval(secs => %(lease_seconds)s)
WHERE id = (
    SELECT id FROM users
    WHERE memory_enabled AND compaction_due_at <= now()
    ORDER BY compaction_due_at
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
)
RETURNING id, compaction_due_at;

-- name: renew_lease
-- Extend a lease; no row if the user was rescheduled or claimed by another process.
UPDATE users SET compaction_due_at = now() + make_interval(secs => %(lease_seconds)s)
WHERE id = %(user)s AND compaction_due_at = %(leased_until)s
RETURNING compaction_due_at;

-- name: finish
-- Replace a lease by the time of the user's next compaction. A due time that was set in the meantime is kept.
UPDATE users SET compaction_due_at = %(at)s WHERE id = %(user)s AND compaction_due_at = %(leased_until)s;

-- name: schedule
-- Set the time of a user's next compaction.
UPDATE users SET compaction_due_at = %(at)s WHERE id = %(user)s;
