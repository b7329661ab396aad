-- name: count
-- Count the user's running runs and, if asked for, the threads. Unlisted and expired temporary threads do not count.
SELECT
    (SELECT count(*) FROM runs WHERE user_id = %(user)s AND status = 'running' AND busy_until > now()) AS runs,
    CASE WHEN %(count_threads)s::boolean THEN (
        SELECT count(*) FROM threads WHERE user_id = %(user)s AND NOT unlisted AND (NOT temporary OR expires_at > now())
    ) END AS threads;
