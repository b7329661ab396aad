-- name: append_events
-- Append events to a run, without duplicates; do nothing if the run does not exist any more.
INSERT INTO run_events (user_id, run_id, events, chars, name, data)
SELECT r.user_id, r.id, e.*
FROM runs r, jsonb_to_recordset(%(added)s::jsonb) AS e (events integer, chars integer, name text, data jsonb)
WHERE r.user_id = %(user)s AND r.id = %(run)s
ON CONFLICT DO NOTHING;

-- name: find_run
-- Find a run of a thread by id; without an id, the latest.
SELECT id, status <> 'running' AS is_over FROM runs
WHERE user_id = %(user)s AND thread_id = %(thread)s AND NOT stateless AND (%(run)s::uuid IS NULL OR id = %(run)s)
ORDER BY began_at DESC
LIMIT 1;

-- name: events_after
-- List the events of a run after a position.
SELECT events, chars, name, data FROM run_events
WHERE user_id = %(user)s AND run_id = %(run)s AND (events, chars) > (%(events)s, %(chars)s)
ORDER BY events, chars;

-- name: delete_expired
-- Delete runs that ended a while ago, with their events; clients that rejoin later read the transcript.
DELETE FROM runs WHERE status <> 'running' AND ended_at < now() - make_interval(secs => %(retention_seconds)s);
