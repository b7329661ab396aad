-- name: claim
-- Take whoever is due; unless the work is done by then, they are due again at the end of the lease.
UPDATE users SET upkeep_at = now() + make_interval(secs => %(lease_seconds)s)
WHERE id = (
    SELECT id FROM users
    WHERE memory_enabled AND upkeep_at <= now()
    ORDER BY upkeep_at
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
)
RETURNING id;

-- name: due
UPDATE users SET upkeep_at = %(at)s WHERE id = %(user)s;
