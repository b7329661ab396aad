-- name: due
-- A message moves the time, but never past what the first one may wait.
INSERT INTO formation AS f (user_id, due_at)
VALUES (%(user)s, now() + make_interval(secs => %(debounce)s))
ON CONFLICT (user_id) DO UPDATE
SET due_at = least(
    now() + make_interval(secs => %(debounce)s),
    greatest(now(), f.first_at + make_interval(secs => %(max_wait)s))
)
RETURNING due_at;

-- name: claim_next
-- Take whoever is due and nobody works for; two workers never get the same user.
UPDATE formation SET lease = %(lease)s, lease_until = now() + make_interval(secs => %(lease_seconds)s)
WHERE user_id = (
    SELECT user_id FROM formation
    WHERE due_at <= now() AND (lease_until IS NULL OR lease_until < now())
    ORDER BY due_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING user_id, due_at, attempts;

-- name: claim_user
INSERT INTO formation AS f (user_id, due_at, lease, lease_until)
VALUES (%(user)s, now(), %(lease)s, now() + make_interval(secs => %(lease_seconds)s))
ON CONFLICT (user_id) DO UPDATE
SET lease = excluded.lease, lease_until = excluded.lease_until
WHERE f.lease_until IS NULL OR f.lease_until < now()
RETURNING user_id, due_at, attempts;

-- name: renew
UPDATE formation SET lease_until = now() + make_interval(secs => %(lease_seconds)s)
WHERE user_id = %(user)s AND lease = %(lease)s;

-- name: done
-- Nothing is left: the row goes, unless something was said meanwhile.
DELETE FROM formation WHERE user_id = %(user)s AND lease = %(lease)s AND due_at = %(due_at)s;

-- name: release
UPDATE formation SET lease = NULL, lease_until = NULL, attempts = 0, last_error = NULL, first_at = now(),
    due_at = greatest(due_at, now() + make_interval(secs => %(delay)s))
WHERE user_id = %(user)s AND lease = %(lease)s;

-- name: failed
UPDATE formation SET lease = NULL, lease_until = NULL, attempts = attempts + 1, last_error = %(error)s,
    due_at = now() + make_interval(secs => %(delay)s)
WHERE user_id = %(user)s AND lease = %(lease)s;
