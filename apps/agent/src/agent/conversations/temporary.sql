-- name: expired
SELECT user_id, id FROM threads WHERE temporary AND expires_at <= now() LIMIT %(limit)s;

-- name: close
-- From here on nobody finds it. Its id stays taken: what is said there late must not begin a lasting thread.
UPDATE threads SET title = '', expires_at = NULL, updated_at = now()
WHERE user_id = %(user)s AND id = %(thread)s AND temporary
RETURNING id;

-- name: delete_runs
DELETE FROM runs WHERE user_id = %(user)s AND thread_id = %(thread)s;

-- name: delete_messages
DELETE FROM messages WHERE user_id = %(user)s AND thread_id = %(thread)s;

-- name: let_go
-- Free the ids of threads that have been closed for long enough.
DELETE FROM threads
WHERE temporary AND expires_at IS NULL AND updated_at < now() - make_interval(secs => %(taken_seconds)s);
