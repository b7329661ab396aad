-- name: hold
-- In the order in which everybody else takes these rows, so that nobody waits in a circle; no new thread can begin.
SELECT id FROM users WHERE id = %(user)s FOR UPDATE;

-- name: hold_threads
SELECT id FROM threads WHERE user_id = %(user)s ORDER BY id FOR UPDATE;

-- name: delete
WITH gone AS (DELETE FROM {table} WHERE {mine} RETURNING 1) SELECT count(*) AS rows FROM gone;
