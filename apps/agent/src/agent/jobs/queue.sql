-- name: schedule
-- Move the due time, but never past what the first message may wait. Notify workers only if it is due immediately:
-- transactions that notify commit one after the other.
INSERT INTO formation AS f (user_id, due_at)
VALUES (%(user)s, now() + make_interval(secs => %(debounce)s))
ON CONFLICT (user_id) DO UPDATE
SET first_at = CASE WHEN f.due_at IS NULL THEN now() ELSE f.first_at END,
    due_at = CASE
        WHEN f.due_at IS NULL THEN excluded.due_at
        ELSE least(excluded.due_at, greatest(now(), f.first_at + make_interval(secs => %(max_wait)s)))
    END
RETURNING due_at, CASE WHEN due_at <= now() THEN pg_notify('keepsake_formation', '') END;

-- name: listen
-- Receive a notification when a user becomes due immediately.
LISTEN keepsake_formation;

-- name: claim_next
-- Lease the user who has been due for longest; two workers never get the same user.
UPDATE formation SET lease = %(lease)s, lease_until = now() + make_interval(secs => %(lease_seconds)s)
WHERE user_id = (
    SELECT user_id FROM formation
    WHERE due_at <= now() AND (lease_until IS NULL OR lease_until < now())
    ORDER BY due_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING user_id AS "user", due_at, attempts, now() AS claimed_at;

-- name: claim_user
-- Lease this user, due or not; no row if another process holds the lease.
INSERT INTO formation AS f (user_id, due_at, lease, lease_until)
VALUES (%(user)s, now(), %(lease)s, now() + make_interval(secs => %(lease_seconds)s))
ON CONFLICT (user_id) DO UPDATE
SET lease = excluded.lease, lease_until = excluded.lease_until
WHERE f.lease_until IS NULL OR f.lease_until < now()
RETURNING user_id AS "user", due_at, attempts, now() AS claimed_at;

-- name: next_due
-- Seconds until the next user can be claimed, not above 0 if it is now; no row if none is scheduled.
SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM formation
WHERE due_at > now() OR (due_at <= now() AND (lease_until IS NULL OR lease_until < now()))
ORDER BY due_at
LIMIT 1;

-- name: renew_lease
-- Extend a lease; no row if another process holds it.
UPDATE formation SET lease_until = now() + make_interval(secs => %(lease_seconds)s)
WHERE user_id = %(user)s AND lease = %(lease)s
RETURNING user_id;

-- name: release_lease
-- Release a lease without changing the due time.
UPDATE formation SET lease = NULL, lease_until = NULL WHERE user_id = %(user)s AND lease = %(lease)s;

-- name: finish
-- Release a lease and schedule the retry. A due time that a message moved in the meantime is kept.
UPDATE formation
SET lease = NULL,
    lease_until = NULL,
    attempts = %(attempts)s,
    last_error = %(last_error)s,
    set_aside = coalesce(%(set_aside)s, set_aside),
    first_at = CASE WHEN %(retry_in_seconds)s::float8 IS NULL THEN %(claimed_at)s ELSE first_at END,
    due_at = CASE
        WHEN due_at IS DISTINCT FROM %(due_at)s THEN due_at
        ELSE now() + make_interval(secs => %(retry_in_seconds)s)
    END
WHERE user_id = %(user)s AND lease = %(lease)s;

-- name: delete_if_idle
-- Delete the row of a user with nothing to process and nothing set aside.
DELETE FROM formation WHERE user_id = %(user)s AND due_at IS NULL AND set_aside = 0 AND lease IS NULL;

-- name: user_state
-- Read the state of a user's formation.
SELECT due_at, attempts, last_error FROM formation WHERE user_id = %(user)s;

-- name: backlog
-- Count the pending work of the whole installation.
SELECT count(due_at) AS pending_users,
    coalesce(extract(epoch FROM now() - min(first_at) FILTER (WHERE due_at IS NOT NULL)), 0)::float8 AS oldest_seconds,
    coalesce(sum(set_aside), 0)::int AS set_aside_batches
FROM formation;
