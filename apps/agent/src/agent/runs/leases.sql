-- name: renew
-- Extend the leases of these runs; runs that are not returned were ended by another process.
UPDATE runs SET busy_until = now() + make_interval(secs => %(lease_seconds)s)
WHERE (user_id, id) IN (SELECT * FROM unnest(%(users)s::text[], %(runs)s::uuid[])) AND status = 'running'
RETURNING id, cancel_asked;

-- name: request_cancel
-- Ask the process of a thread's active run to cancel it; no row if there is none.
UPDATE runs SET cancel_asked = true
WHERE user_id = %(user)s AND thread_id = %(thread)s AND status = 'running' AND busy_until > now()
RETURNING id;

-- name: end_expired
-- Mark runs with an expired lease as failed, for one user or for all, and save the part of the answer that was recorded.
WITH lost AS (
    UPDATE runs SET status = 'failed', ended_at = now()
    WHERE (user_id, id) IN (
        SELECT user_id, id FROM runs
        WHERE status = 'running' AND busy_until < now() AND (%(user)s::text IS NULL OR user_id = %(user)s)
        FOR UPDATE SKIP LOCKED
    )
    RETURNING user_id, id, thread_id, message_id
),
-- Rows that were written twice overlap: new_chars is the part of each row that no earlier row contains.
events_of_lost AS (
    SELECT e.*, l.thread_id, l.message_id,
        e.chars - lag(e.chars, 1, 0) OVER (PARTITION BY e.user_id, e.run_id ORDER BY e.events, e.chars) AS new_chars
    FROM run_events e
    JOIN lost l ON l.user_id = e.user_id AND l.id = e.run_id
),
final_event AS (
    INSERT INTO run_events (user_id, run_id, events, chars, name, data)
    SELECT l.user_id, l.id, coalesce(max(t.events), 0) + 1, coalesce(max(t.chars), 0), 'run.failed', %(failed)s
    FROM lost l
    LEFT JOIN events_of_lost t ON t.user_id = l.user_id AND t.run_id = l.id
    GROUP BY l.user_id, l.id
),
partial_answer AS (
    INSERT INTO messages (user_id, id, thread_id, role, text, reply_to, memories, status, seen)
    SELECT user_id, gen_random_uuid(), thread_id, 'assistant',
        string_agg(right(data ->> 'text', new_chars), '' ORDER BY events, chars) FILTER (WHERE name = 'token'),
        message_id,
        coalesce((jsonb_agg(data -> 'memories') FILTER (WHERE name = 'memory.recalled')) -> 0, '[]'),
        'failed', false
    FROM events_of_lost
    GROUP BY user_id, run_id, thread_id, message_id
    HAVING bool_or(name = 'token')
    ON CONFLICT DO NOTHING
)
SELECT user_id, id FROM lost;
