-- name: add
-- Add to meters of users, and start new windows for those that have ended. The rows stay locked until the end of the
-- transaction. Accounts that do not exist or are just being erased are skipped.
WITH accounts AS MATERIALIZED (
    SELECT id FROM users WHERE id = ANY(%(users)s::text[]) ORDER BY id FOR KEY SHARE SKIP LOCKED
)
INSERT INTO usage AS current (user_id, meter, used, ends_at)
SELECT added.user_id, added.meter, added.amount, now() + make_interval(secs => added.window_seconds)
FROM unnest(%(users)s::text[], %(meters)s::text[], %(amounts)s::bigint[], %(windows)s::float8[])
    AS added (user_id, meter, amount, window_seconds)
JOIN accounts ON accounts.id = added.user_id
ORDER BY added.user_id, added.meter
ON CONFLICT (user_id, meter) DO UPDATE
SET used = CASE WHEN current.ends_at > now() THEN current.used ELSE 0 END + excluded.used,
    ends_at = CASE WHEN current.ends_at > now() THEN current.ends_at ELSE excluded.ends_at END
RETURNING user_id, meter, used, extract(epoch FROM ends_at - now())::float8 AS seconds_left;

-- name: delete_ended
-- Delete the meters of all users whose windows have ended.
DELETE FROM usage WHERE ends_at < now();
