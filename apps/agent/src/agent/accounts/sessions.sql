-- name: add
-- Store a session of an existing account.
INSERT INTO sessions (user_id, hash, expires_at)
VALUES (%(user)s, %(hash)s, now() + make_interval(secs => %(seconds)s))
RETURNING expires_at;

-- name: trim
-- Delete a user's sessions that have expired, and all but the latest.
DELETE FROM sessions WHERE user_id = %(user)s AND (
    expires_at <= now() OR hash NOT IN (
        SELECT hash FROM sessions WHERE user_id = %(user)s ORDER BY created_at DESC LIMIT %(kept)s
    )
);

-- name: find_owner
-- Find the account of a session that has not expired.
SELECT users.id, users.issuer, users.subject, users.memory_enabled, users.time_zone
FROM sessions JOIN users ON users.id = sessions.user_id
WHERE sessions.hash = %(hash)s AND sessions.expires_at > now();

-- name: delete
-- Delete a session.
DELETE FROM sessions WHERE hash = %(hash)s;
