-- name: said_before
-- What is already there under a message's id, with its answer if it has one.
SELECT said.thread_id, said.text, reply.id AS reply_id, reply.text AS reply, reply.memories, reply.usage
FROM messages said
LEFT JOIN messages reply ON reply.user_id = said.user_id AND reply.reply_to = said.id
WHERE said.user_id = %(user)s AND said.id = %(message)s;

-- name: hold_thread
-- Make the thread, or take it if it is the user's own and no living run holds it; no row, it is not to be had.
INSERT INTO threads (id, user_id, title, run_id, busy_until)
VALUES (%(thread)s, %(user)s, %(title)s, %(run)s, now() + make_interval(secs => %(lease_seconds)s))
ON CONFLICT (id) DO UPDATE
SET run_id = excluded.run_id,
    busy_until = excluded.busy_until,
    title = CASE WHEN threads.title = '' THEN excluded.title ELSE threads.title END
WHERE threads.user_id = excluded.user_id
  AND (threads.busy_until IS NULL OR threads.busy_until < now())
RETURNING (SELECT memory_enabled FROM users WHERE id = %(user)s) AS memory_enabled;

-- name: say
INSERT INTO messages (user_id, id, thread_id, role, text, noted)
VALUES (%(user)s, %(message)s, %(thread)s, 'user', %(text)s, NOT %(remembered)s)
ON CONFLICT (user_id, id) DO NOTHING;

-- name: still_running
UPDATE threads SET busy_until = now() + make_interval(secs => %(lease_seconds)s)
WHERE user_id = %(user)s AND id = %(thread)s AND run_id = %(run)s;

-- name: noted
UPDATE messages SET noted = true WHERE user_id = %(user)s AND id = ANY(%(messages)s) AND NOT noted;

-- name: reply
INSERT INTO messages (user_id, id, thread_id, role, text, reply_to, memories, usage)
VALUES (%(user)s, %(reply)s, %(thread)s, 'assistant', %(text)s, %(message)s, %(memories)s, %(usage)s)
ON CONFLICT DO NOTHING;

-- name: free_thread
UPDATE threads SET run_id = NULL, busy_until = NULL, updated_at = now()
WHERE user_id = %(user)s AND id = %(thread)s AND run_id = %(run)s;

-- name: page
SELECT id, role, text, ts, memories, seq
FROM messages
WHERE user_id = %(user)s AND thread_id = %(thread)s AND seq > %(after)s
ORDER BY seq
LIMIT %(limit)s;

-- name: busy_threads
-- The user's threads that a living run holds; what was said there waits for its answer.
SELECT id FROM threads WHERE user_id = %(user)s AND busy_until > now();

-- name: not_noted
-- What the user said that never reached the inbox, in threads that are at rest.
SELECT m.id, m.thread_id, m.text, m.ts, coalesce(reply.text, '') AS answer
FROM messages m
JOIN threads t ON t.user_id = m.user_id AND t.id = m.thread_id
LEFT JOIN messages reply ON reply.user_id = m.user_id AND reply.reply_to = m.id
WHERE m.user_id = %(user)s AND NOT m.noted AND (t.busy_until IS NULL OR t.busy_until < now())
ORDER BY m.seq
LIMIT 500;
