-- name: find
-- List threads with their status, that of the latest run except completions: by ids, metadata and status, where these
-- are given. Temporary, unlisted and archived threads, and branches that are not the latest one of their conversation,
-- are found by id only.
SELECT t.id, t.title, t.temporary, t.created_at, t.updated_at, t.pinned, t.archived, t.metadata,
    coalesce(run.status, 'idle') AS status
FROM threads t
LEFT JOIN LATERAL (
    SELECT CASE
        WHEN r.status = 'running' AND r.busy_until > now() THEN 'busy'
        WHEN r.status IN ('running', 'failed') THEN 'error'
    END AS status
    FROM runs r
    WHERE r.user_id = t.user_id AND r.thread_id = t.id AND NOT r.stateless
    ORDER BY r.began_at DESC
    LIMIT 1
) run ON true
WHERE t.user_id = %(user)s
  AND CASE
      WHEN %(ids)s::uuid[] IS NOT NULL THEN t.id = ANY(%(ids)s::uuid[]) AND (NOT t.temporary OR t.expires_at > now())
      ELSE NOT t.temporary AND NOT t.unlisted AND NOT t.archived AND NOT EXISTS (
          SELECT FROM threads newer
          WHERE newer.user_id = t.user_id
            AND coalesce(newer.family_id, newer.id) = coalesce(t.family_id, t.id)
            AND (newer.updated_at, newer.id) > (t.updated_at, t.id)
      )
  END
  AND t.metadata @> %(metadata)s
  AND (%(status)s::text IS NULL OR coalesce(run.status, 'idle') = %(status)s)
ORDER BY
    %(direction)s::int * extract(epoch FROM CASE WHEN %(by_creation)s THEN t.created_at ELSE t.updated_at END), t.id
LIMIT %(limit)s OFFSET %(offset)s;

-- name: count
-- Count the threads in the user's list, as in `find`, whose metadata contains the filter.
SELECT count(*) AS threads FROM threads t
WHERE t.user_id = %(user)s
  AND NOT t.temporary AND NOT t.unlisted
  AND NOT t.archived
  AND NOT EXISTS (
      SELECT FROM threads newer
      WHERE newer.user_id = t.user_id
        AND coalesce(newer.family_id, newer.id) = coalesce(t.family_id, t.id)
        AND (newer.updated_at, newer.id) > (t.updated_at, t.id)
  )
  AND t.metadata @> %(metadata)s;

-- name: opening_messages
-- List the first messages of some threads, the oldest first.
SELECT opening.*
FROM unnest(%(threads)s::uuid[]) AS thread (id)
CROSS JOIN LATERAL (
    SELECT thread_id, id, role, text, ts, memories, status, finish_reason, sources, model, copied_from, rating, rating_reason
    FROM messages
    WHERE user_id = %(user)s AND thread_id = thread.id
    ORDER BY seq
    LIMIT %(limit)s
) opening;

-- name: latest_messages
-- List the last messages of a thread, the latest first.
SELECT id, role, text, ts, memories, status, finish_reason, sources, model, copied_from, rating, rating_reason FROM messages
WHERE user_id = %(user)s AND thread_id = %(thread)s
ORDER BY seq DESC
LIMIT %(limit)s;

-- name: merge_metadata
-- Merge members into the metadata of a thread.
UPDATE threads SET metadata = metadata || %(metadata)s
WHERE user_id = %(user)s AND id = %(thread)s AND (NOT temporary OR expires_at > now())
RETURNING octet_length(metadata::text) AS bytes;

-- name: lock_thread
-- Lock a thread against runs that begin or end, and move it to the top of the list; a first message titles it.
UPDATE threads
SET updated_at = now(),
    title_is_draft = title_is_draft OR (title = '' AND %(title)s <> ''),
    title = CASE WHEN title = '' THEN %(title)s ELSE title END
WHERE user_id = %(user)s AND id = %(thread)s AND (NOT temporary OR expires_at > now())
RETURNING id;

-- name: active_run
-- Find the run in progress that holds a thread.
SELECT id FROM runs
WHERE user_id = %(user)s AND thread_id = %(thread)s AND status = 'running' AND busy_until > now() AND NOT stateless;

-- name: append_message
-- Append a message that no run answers. It is withheld from formation, and the next run reads it.
INSERT INTO messages (user_id, id, thread_id, role, text, enqueued, withheld, seen)
VALUES (%(user)s, %(message)s, %(thread)s, %(role)s, %(text)s, true, true, false)
ON CONFLICT (user_id, id) DO NOTHING
RETURNING id;

-- name: list_runs
-- List the runs of a thread that are still recorded, the latest first; by id, if one is given. Completions are left out,
-- because nobody can join them. A run that is recorded as running without a valid lease has failed.
SELECT id, message_id, began_at, coalesce(ended_at, began_at) AS updated_at,
    CASE WHEN status = 'running' AND busy_until <= now() THEN 'failed' ELSE status END AS status
FROM runs
WHERE user_id = %(user)s AND thread_id = %(thread)s AND NOT stateless AND (%(run)s::uuid IS NULL OR id = %(run)s::uuid)
ORDER BY began_at DESC
LIMIT %(limit)s OFFSET %(offset)s;
