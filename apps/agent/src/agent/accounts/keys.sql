-- name: lock_account
-- Lock an account while one of its keys is added, so that concurrent requests count each other's keys.
SELECT id FROM users WHERE id = %(user)s FOR NO KEY UPDATE;

-- name: add
-- Store a key, unless the user has as many as allowed.
INSERT INTO keys (user_id, id, name, hash)
SELECT %(user)s, %(key)s::uuid, %(name)s, %(hash)s
WHERE (SELECT count(*) FROM keys WHERE user_id = %(user)s) < %(max_keys)s
RETURNING id, name, created_at, last_used_at;

-- name: list_keys
-- List a user's keys, the latest first.
SELECT id, name, created_at, last_used_at FROM keys WHERE user_id = %(user)s ORDER BY created_at DESC, id;

-- name: delete
-- Delete a key.
DELETE FROM keys WHERE user_id = %(user)s AND id = %(key)s RETURNING id;

-- name: find_owner
-- Find the account to which a key gives access, and whether the time of its last use is outdated.
SELECT users.id, users.issuer, users.subject, users.memory_enabled, users.time_zone, keys.id AS key_id, keys.name AS key_name,
    coalesce(keys.last_used_at < now() - make_interval(secs => %(precision_seconds)s), true) AS is_outdated
FROM keys
JOIN users ON users.id = keys.user_id
WHERE keys.hash = %(hash)s;

-- name: record_use
-- Set the time of a key's last use, unless another process just did.
UPDATE keys SET last_used_at = now()
WHERE user_id = %(user)s AND id = %(key)s
  AND coalesce(last_used_at < now() - make_interval(secs => %(precision_seconds)s), true);
