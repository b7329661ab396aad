-- name: make
INSERT INTO threads (id, user_id, title, temporary, expires_at)
VALUES (%(thread)s, %(user)s, %(title)s, %(temporary)s,
    CASE WHEN %(temporary)s THEN now() + make_interval(secs => %(temporary_seconds)s) END)
ON CONFLICT (id) DO NOTHING
RETURNING id, title, temporary, created_at, updated_at;

-- name: get
-- A temporary thread is gone with its last second, whenever it is swept.
SELECT id, title, temporary, created_at, updated_at FROM threads
WHERE user_id = %(user)s AND id = %(thread)s AND (NOT temporary OR expires_at > now());

-- name: page
-- The latest first. A cursor is the place of the last one seen: whatever arrives or moves up meanwhile, the rest follows.
SELECT id, title, temporary, created_at, updated_at
FROM threads
WHERE user_id = %(user)s
  AND NOT temporary
  AND (%(before)s::timestamptz IS NULL OR (updated_at, id) < (%(before)s::timestamptz, %(before_id)s::uuid))
ORDER BY updated_at DESC, id DESC
LIMIT %(limit)s;

-- name: search
-- The same of threads whose title or one of whose messages fits all patterns, with the latest such message. It reads
-- the user's own messages, the latest threads first, until the page is full: behind the wall no index finds words.
SELECT t.id, t.title, t.temporary, t.created_at, t.updated_at, found.text AS found
FROM threads t
LEFT JOIN LATERAL (
    SELECT m.text FROM messages m
    WHERE m.user_id = t.user_id AND m.thread_id = t.id AND m.text ILIKE ALL(%(patterns)s)
    ORDER BY m.seq DESC
    LIMIT 1
) found ON true
WHERE t.user_id = %(user)s
  AND NOT t.temporary
  AND (found.text IS NOT NULL OR t.title ILIKE ALL(%(patterns)s))
  AND (%(before)s::timestamptz IS NULL OR (t.updated_at, t.id) < (%(before)s::timestamptz, %(before_id)s::uuid))
ORDER BY t.updated_at DESC, t.id DESC
LIMIT %(limit)s;

-- name: rename
UPDATE threads SET title = %(title)s, title_is_draft = false
WHERE user_id = %(user)s AND id = %(thread)s AND (NOT temporary OR expires_at > now())
RETURNING id, title, temporary, created_at, updated_at;

-- name: delete
DELETE FROM threads WHERE user_id = %(user)s AND id = %(thread)s RETURNING id;

-- name: messages
-- The messages of a thread after a cursor, oldest first.
SELECT id, role, text, ts, memories, status, seq
FROM messages
WHERE user_id = %(user)s AND thread_id = %(thread)s AND seq > %(after)s
ORDER BY seq
LIMIT %(limit)s;
