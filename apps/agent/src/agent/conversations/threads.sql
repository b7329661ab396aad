-- name: lock_user_exclusively
-- Lock the account, as a turn does before it creates a thread.
SELECT id FROM users WHERE id = %(user)s FOR NO KEY UPDATE;

-- name: insert
-- Create a thread.
INSERT INTO threads (id, user_id, title, metadata, temporary, expires_at)
VALUES (%(thread)s, %(user)s, %(title)s, %(metadata)s, %(temporary)s,
    CASE WHEN %(temporary)s THEN now() + make_interval(secs => %(temporary_seconds)s) END)
ON CONFLICT DO NOTHING
RETURNING id, title, temporary, created_at, updated_at, pinned, archived;

-- name: get
-- Find a thread; an expired temporary thread does not exist, even before the sweep deletes it.
SELECT id, title, temporary, created_at, updated_at, pinned, archived FROM threads
WHERE user_id = %(user)s AND id = %(thread)s AND (NOT temporary OR expires_at > now());

-- name: list_threads
-- List the latest thread of each conversation, pinned ones first, after a cursor: the last one of the previous page.
SELECT id, title, temporary, created_at, updated_at, pinned, archived
FROM threads
WHERE user_id = %(user)s
  AND NOT temporary AND NOT unlisted
  AND archived = %(archived)s
  AND (%(before)s::timestamptz IS NULL
      OR (pinned, updated_at, id) < (%(before_pinned)s::boolean, %(before)s::timestamptz, %(before_id)s::uuid))
  AND NOT EXISTS (
      SELECT FROM threads newer
      WHERE newer.user_id = threads.user_id
        AND coalesce(newer.family_id, newer.id) = coalesce(threads.family_id, threads.id)
        AND (newer.updated_at, newer.id) > (threads.updated_at, threads.id)
  )
ORDER BY pinned DESC, updated_at DESC, id DESC
LIMIT %(limit)s;

-- name: search
-- List threads of which the title or a message matches all patterns, with the latest matching message; of the branches
-- of a conversation, the latest. It reads the user's messages, the latest threads first, until the page is full: ILIKE
-- cannot use an index under row-level security.
SELECT t.id, t.title, t.temporary, t.created_at, t.updated_at, t.pinned, t.archived, match.text AS match
FROM threads t
LEFT JOIN LATERAL (
    SELECT m.text FROM messages m
    WHERE m.user_id = t.user_id AND m.thread_id = t.id AND m.text ILIKE ALL(%(patterns)s)
    ORDER BY m.seq DESC
    LIMIT 1
) match ON true
WHERE t.user_id = %(user)s
  AND NOT t.temporary AND NOT t.unlisted
  AND (%(archived)s::boolean IS NULL OR t.archived = %(archived)s)
  AND (match.text IS NOT NULL OR t.title ILIKE ALL(%(patterns)s))
  AND (%(before)s::timestamptz IS NULL OR (t.updated_at, t.id) < (%(before)s::timestamptz, %(before_id)s::uuid))
  AND NOT EXISTS (
      SELECT FROM threads newer
      WHERE newer.user_id = t.user_id AND coalesce(newer.family_id, newer.id) = coalesce(t.family_id, t.id)
        AND (newer.updated_at, newer.id) > (t.updated_at, t.id)
        AND (newer.title ILIKE ALL(%(patterns)s) OR EXISTS (
            SELECT FROM messages m
            WHERE m.user_id = newer.user_id AND m.thread_id = newer.id AND m.text ILIKE ALL(%(patterns)s)
        ))
      OFFSET 0 -- by index for each thread: as a join, it would read all of the user's messages again
  )
ORDER BY t.updated_at DESC, t.id DESC
LIMIT %(limit)s;

-- name: update
-- Change those of title, pinned and archived that are not null, for all branches of a conversation.
UPDATE threads
SET title = coalesce(%(title)s, title),
    title_is_draft = title_is_draft AND %(title)s::text IS NULL,
    pinned = coalesce(%(pinned)s, pinned),
    archived = coalesce(%(archived)s, archived)
WHERE user_id = %(user)s AND coalesce(family_id, id) = (
    SELECT coalesce(family_id, id) FROM threads
    WHERE user_id = %(user)s AND id = %(thread)s AND (NOT temporary OR expires_at > now())
)
RETURNING id, title, temporary, created_at, updated_at, pinned, archived;

-- name: delete
-- Delete a thread; its messages and runs are deleted with it.
DELETE FROM threads WHERE user_id = %(user)s AND id = %(thread)s
RETURNING id, title, temporary, created_at, updated_at, pinned, archived;

-- name: list_messages
-- List the messages of a thread after a cursor, oldest first.
SELECT id, role, text, ts, memories, status, finish_reason, sources, model, copied_from, rating, rating_reason, seq
FROM messages
WHERE user_id = %(user)s AND thread_id = %(thread)s AND seq > %(after)s
ORDER BY seq
LIMIT %(limit)s;

-- name: rate
-- Set what the user thinks of an answer.
UPDATE messages SET rating = %(rating)s, rating_reason = %(reason)s
WHERE user_id = %(user)s AND thread_id = %(thread)s AND id = %(message)s AND role = 'assistant'
RETURNING coalesce(copied_from, id) AS original;
