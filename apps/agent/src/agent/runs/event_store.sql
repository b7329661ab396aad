-- name: append
-- Keep what a run has told since the last time; what is there already stays, and a run that is gone gets nothing.
INSERT INTO run_events (user_id, run_id, events, chars, name, data)
SELECT r.user_id, r.id, told.*
FROM runs r, unnest(%(events)s::integer[], %(chars)s::integer[], %(names)s::text[], %(data)s::jsonb[]) AS told
WHERE r.user_id = %(user)s AND r.id = %(run)s
ON CONFLICT DO NOTHING;

-- name: find
-- One run of a thread, the latest if none is named.
SELECT id, status <> 'running' AS is_over FROM runs
WHERE user_id = %(user)s AND thread_id = %(thread)s AND (%(run)s::uuid IS NULL OR id = %(run)s)
ORDER BY began_at DESC
LIMIT 1;

-- name: rest
SELECT events, chars, name, data FROM run_events
WHERE user_id = %(user)s AND run_id = %(run)s AND (events, chars) > (%(events)s, %(chars)s)
ORDER BY events, chars;

-- name: forget
-- Whoever has not joined again by now reads the transcript.
DELETE FROM runs WHERE status <> 'running' AND ended_at < now() - make_interval(secs => %(kept_seconds)s);
