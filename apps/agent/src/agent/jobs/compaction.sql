-- name: claim_next
-- Lease the user who has been due for longest; unless it is rescheduled, the user is due again when the lease expires.
UPDATE users SET upkeep_at = now() + make_interval(secs => %(lease_seconds)s)
WHERE id = (
    SELECT id FROM users
    WHERE memory_enabled AND upkeep_at <= now()
    ORDER BY upkeep_at
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
)
RETURNING id, upkeep_at;

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
