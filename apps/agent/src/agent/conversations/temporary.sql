-- name: find_outdated
-- Find unlisted threads without a message for a long time.
SELECT user_id, id FROM threads
WHERE unlisted AND updated_at < now() - make_interval(secs => %(retention_seconds)s)
LIMIT %(limit)s;

-- name: delete_outdated
-- Delete an unlisted thread with its messages and runs, unless it has got another message.
DELETE FROM threads
WHERE user_id = %(user)s AND id = %(thread)s AND unlisted
  AND updated_at < now() - make_interval(secs => %(retention_seconds)s);

-- name: find_expired
-- Find temporary threads that have expired.
SELECT user_id, id FROM threads WHERE temporary AND expires_at <= now() LIMIT %(limit)s;

-- name: close
-- Close a temporary thread. The row reserves its id, so that a late message cannot create a permanent thread.
UPDATE threads SET title = '', expires_at = NULL, updated_at = now()
WHERE user_id = %(user)s AND id = %(thread)s AND temporary
RETURNING id;

-- name: delete_runs
-- Delete the runs of a thread.
DELETE FROM runs WHERE user_id = %(user)s AND thread_id = %(thread)s;

-- name: delete_messages
-- Delete the messages of a thread.
DELETE FROM messages WHERE user_id = %(user)s AND thread_id = %(thread)s;

-- name: purge_closed
-- Delete threads that were closed long ago, which releases their ids.
DELETE FROM threads
WHERE temporary AND expires_at IS NULL AND updated_at < now() - make_interval(secs => %(reservation_seconds)s);
