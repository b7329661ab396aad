-- name: lock_account
-- Let the user's streams be opened one after another.
SELECT id FROM users WHERE id = %(user)s FOR NO KEY UPDATE;

-- name: open
-- Register a stream under a lease. Returns no row if the user has too many.
INSERT INTO open_streams (user_id, id, expires_at)
SELECT %(user)s, %(stream)s, now() + make_interval(secs => %(lease_seconds)s)
WHERE (SELECT count(*) FROM open_streams WHERE user_id = %(user)s AND expires_at > now()) < %(limit)s
RETURNING id;

-- name: close
-- Remove a stream.
DELETE FROM open_streams WHERE user_id = %(user)s AND id = %(stream)s;

-- name: renew
-- Extend the leases of these streams.
UPDATE open_streams SET expires_at = now() + make_interval(secs => %(lease_seconds)s)
WHERE (user_id, id) IN (SELECT * FROM unnest(%(users)s::text[], %(streams)s::uuid[]));

-- name: delete_expired
-- Remove the streams of all users whose process has ended.
DELETE FROM open_streams WHERE expires_at < now();
