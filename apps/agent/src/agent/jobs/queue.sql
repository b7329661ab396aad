-- name: due
-- A message moves the time, but never past what the first one may wait. Workers are woken only for what is due at once:
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
LISTEN keepsake_formation;

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
RETURNING user_id, due_at, attempts, now() AS claimed_at;

-- name: next
-- When somebody falls due next.
SELECT extract(epoch FROM min(due_at) - now())::float8 AS seconds FROM formation WHERE due_at > now();

-- name: claim_user
INSERT INTO formation AS f (user_id, due_at, lease, lease_until)
VALUES (%(user)s, now(), %(lease)s, now() + make_interval(secs => %(lease_seconds)s))
ON CONFLICT (user_id) DO UPDATE
SET lease = excluded.lease, lease_until = excluded.lease_until
WHERE f.lease_until IS NULL OR f.lease_until < now()
RETURNING user_id, due_at, attempts, now() AS claimed_at;

-- name: renew
-- No row: the lease has gone to somebody else.
UPDATE formation SET lease_until = now() + make_interval(secs => %(lease_seconds)s)
WHERE user_id = %(user)s AND lease = %(lease)s
RETURNING user_id;

-- name: give_back
UPDATE formation SET lease = NULL, lease_until = NULL WHERE user_id = %(user)s AND lease = %(lease)s;

-- name: finish
-- Give back with what is left to do. What was said meanwhile has moved the due time, and keeps it.
UPDATE formation
SET lease = NULL,
    lease_until = NULL,
    attempts = %(attempts)s,
    last_error = %(last_error)s,
    set_aside = coalesce(%(set_aside)s, set_aside),
    first_at = CASE WHEN %(again)s::float8 IS NULL THEN %(claimed_at)s ELSE first_at END,
    due_at = CASE
        WHEN due_at IS DISTINCT FROM %(due_at)s THEN due_at
        ELSE now() + make_interval(secs => %(again)s)
    END
WHERE user_id = %(user)s AND lease = %(lease)s;

-- name: tidy
DELETE FROM formation WHERE user_id = %(user)s AND due_at IS NULL AND set_aside = 0 AND lease IS NULL;

-- name: of_user
SELECT due_at, attempts, last_error FROM formation WHERE user_id = %(user)s;

-- name: backlog
SELECT count(due_at) AS users,
    coalesce(extract(epoch FROM now() - min(first_at) FILTER (WHERE due_at IS NOT NULL)), 0)::float8 AS oldest_seconds,
    coalesce(sum(set_aside), 0)::int AS set_aside
FROM formation;
