-- name: make
INSERT INTO threads (id, user_id, title) VALUES (%(thread)s, %(user)s, %(title)s)
ON CONFLICT (id) DO NOTHING
RETURNING id, title, temporary, created_at, updated_at;

-- name: get
SELECT id, title, temporary, created_at, updated_at FROM threads WHERE user_id = %(user)s AND id = %(thread)s;

-- name: page
-- The latest first. A cursor is the place of the last one seen, so the page is stable while new ones arrive.
SELECT id, title, temporary, created_at, updated_at
FROM threads
WHERE user_id = %(user)s
  AND NOT temporary
  AND (%(before)s::timestamptz IS NULL OR (updated_at, id) < (%(before)s::timestamptz, %(before_id)s::uuid))
ORDER BY updated_at DESC, id DESC
LIMIT %(limit)s;

-- name: rename
UPDATE threads SET title = %(title)s
WHERE user_id = %(user)s AND id = %(thread)s
RETURNING id, title, temporary, created_at, updated_at;

-- name: delete
DELETE FROM threads WHERE user_id = %(user)s AND id = %(thread)s RETURNING id;
