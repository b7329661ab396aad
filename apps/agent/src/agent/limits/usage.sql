-- name: add
-- Add to meters of users, and start new windows for those that have ended. The rows stay locked until the end of the
-- transaction. Accounts that do not exist or are just being erased are skipped.
WITH added AS (
    SELECT * FROM jsonb_to_recordset(%(added)s::jsonb)
        AS one (user_id text, meter text, amount bigint, window_seconds float8)
), accounts AS MATERIALIZED (
    SELECT id FROM users WHERE id = ANY(ARRAY(SELECT user_id FROM added)) ORDER BY id FOR KEY SHARE SKIP LOCKED
)
INSERT INTO usage AS current (user_id, meter, used, ends_at)
SELECT added.user_id, added.meter, added.amount, now() + make_interval(secs => added.window_seconds)
FROM added
JOIN accounts ON accounts.id = added.user_id
ORDER BY added.user_id, added.meter
ON CONFLICT (user_id, meter) DO UPDATE
SET used = CASE WHEN current.ends_at > now() THEN current.used ELSE 0 END + excluded.used,
    ends_at = CASE WHEN current.ends_at > now() THEN current.ends_at ELSE excluded.ends_at END
RETURNING user_id, meter, used, extract(epoch FROM ends_at - now())::float8 AS seconds_left;

-- name: delete_ended
-- Delete the meters of all users whose windows have ended.
DELETE FROM usage WHERE ends_at < now();
