-- name: insert
-- Create a thread.
INSERT INTO threads (id, user_id, title, metadata, temporary, expires_at)
VALUES (%(thread)s, %(user)s, %(title)s, %(metadata)s, %(temporary)s,
    CASE WHEN %(temporary)s THEN now() + make_interval(secs => %(temporary_seconds)s) END)
ON CONFLICT (id) DO NOTHING
RETURNING id, title, temporary, created_at, updated_at;

-- name: get
-- Find a thread; an expired temporary thread does not exist, even before the sweep deletes it.
SELECT id, title, temporary, created_at, updated_at FROM threads
WHERE user_id = %(user)s AND id = %(thread)s AND (NOT temporary OR expires_at > now());

-- name: list_threads
-- List threads, the latest first, after a cursor: time and id of the last one of the previous page.
SELECT id, title, temporary, created_at, updated_at
FROM threads
WHERE user_id = %(user)s
  AND NOT temporary
  AND (%(before)s::timestamptz IS NULL OR (updated_at, id) < (%(before)s::timestamptz, %(before_id)s::uuid))
ORDER BY updated_at DESC, id DESC
LIMIT %(limit)s;

-- name: search
-- List threads of which the title or a message matches all patterns, with the latest matching message. It reads the
-- user's messages, the latest threads first, until the page is full: ILIKE cannot use an index under row-level security.
SELECT t.id, t.title, t.temporary, t.created_at, t.updated_at, match.text AS match
FROM threads t
LEFT JOIN LATERAL (
    SELECT m.text FROM messages m
    WHERE m.user_id = t.user_id AND m.thread_id = t.id AND m.text ILIKE ALL(%(patterns)s)
    ORDER BY m.seq DESC
    LIMIT 1
) match ON true
WHERE t.user_id = %(user)s
  AND NOT t.temporary
  AND (match.text IS NOT NULL OR t.title ILIKE ALL(%(patterns)s))
  AND (%(before)s::timestamptz IS NULL OR (t.updated_at, t.id) < (%(before)s::timestamptz, %(before_id)s::uuid))
ORDER BY t.updated_at DESC, t.id DESC
LIMIT %(limit)s;

-- name: rename
-- Set the title of a thread, as chosen by its user.
UPDATE threads SET title = %(title)s, title_is_draft = false
WHERE user_id = %(user)s AND id = %(thread)s AND (NOT temporary OR expires_at > now())
RETURNING id, title, temporary, created_at, updated_at;

-- name: delete
-- Delete a thread; its messages and runs are deleted with it.
DELETE FROM threads WHERE user_id = %(user)s AND id = %(thread)s
RETURNING id, title, temporary, created_at, updated_at;

-- name: list_messages
-- List the messages of a thread after a cursor, oldest first.
SELECT id, role, text, ts, memories, status, finish_reason, seq
FROM messages
WHERE user_id = %(user)s AND thread_id = %(thread)s AND seq > %(after)s
ORDER BY seq
LIMIT %(limit)s;
