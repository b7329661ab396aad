-- name: has_thread
-- Whether a thread exists; an expired temporary thread does not.
SELECT FROM threads WHERE user_id = %(user)s AND id = %(thread)s AND (NOT temporary OR expires_at > now());

-- name: noted
UPDATE messages SET noted = true WHERE user_id = %(user)s AND id = ANY(%(messages)s) AND NOT noted
RETURNING id;

-- name: all_noted
UPDATE messages SET noted = true WHERE user_id = %(user)s AND NOT noted;

-- name: said_in
SELECT id FROM messages WHERE user_id = %(user)s AND thread_id = %(thread)s AND role = 'user';

-- name: busy_threads
-- The user's threads that a living run holds; what was said there waits for its answer.
SELECT thread_id AS id FROM runs WHERE user_id = %(user)s AND status = 'running' AND busy_until > now();

-- name: not_noted
-- What the user said that never reached the inbox, in threads that are at rest.
SELECT m.id, m.thread_id, m.text, m.ts, coalesce(reply.text, '') AS answer
FROM messages m
LEFT JOIN messages reply ON reply.user_id = m.user_id AND reply.reply_to = m.id
WHERE m.user_id = %(user)s AND NOT m.noted AND NOT EXISTS (
    SELECT FROM runs r
    WHERE r.user_id = m.user_id AND r.thread_id = m.thread_id AND r.status = 'running' AND r.busy_until > now()
)
ORDER BY m.seq
LIMIT 500;
