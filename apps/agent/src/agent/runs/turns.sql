-- name: preview
-- Read what concerns the start of a run, without locks: whether the thread is temporary (NULL for a new one), and whether
-- it has a run in progress or the message exists.
SELECT (SELECT temporary FROM threads WHERE user_id = %(user)s AND id = %(thread)s) AS temporary,
    EXISTS (SELECT FROM messages WHERE user_id = %(user)s AND id = %(message)s)
    OR EXISTS (
        SELECT FROM runs WHERE user_id = %(user)s AND thread_id = %(thread)s AND status = 'running' AND NOT stateless
    ) AS is_taken;

-- name: lock_user
-- Lock the account until the end of the transaction. It must be the first lock, as in the erasure of an account.
SELECT id FROM users WHERE id = %(user)s FOR KEY SHARE;

-- name: lock_user_exclusively
-- The same, but one transaction of the user after another. Two that created the same thread at once could wait for each
-- other, or violate the unique constraint of threads that ON CONFLICT does not name.
SELECT id FROM users WHERE id = %(user)s FOR NO KEY UPDATE;

-- name: lock_thread
-- Create the thread, or lock it if it is the user's own, so that runs of a thread begin and end one after another.
-- Returns no row for a temporary thread that has expired, and whether the message is the first one of a branch.
INSERT INTO threads (id, user_id, title, title_is_draft, temporary, expires_at)
VALUES (%(thread)s, %(user)s, %(title)s, true, %(temporary)s,
    CASE WHEN %(temporary)s THEN now() + make_interval(secs => %(temporary_seconds)s) END)
ON CONFLICT (id) DO UPDATE
SET title = CASE WHEN threads.title = '' THEN excluded.title ELSE threads.title END,
    title_is_draft = threads.title_is_draft OR threads.title = '',
    updated_at = now(),
    expires_at = CASE WHEN threads.temporary THEN now() + make_interval(secs => %(temporary_seconds)s) END
WHERE threads.user_id = excluded.user_id AND (NOT threads.temporary OR threads.expires_at > now())
RETURNING temporary, title_is_draft, unlisted, xmax = 0 AS is_new, parent_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM messages own
    WHERE own.user_id = threads.user_id AND own.thread_id = threads.id AND own.copied_from IS NULL
        AND own.id <> %(message)s
) AS begins_branch;

-- name: lock_conversation
-- Create or lock the thread of a conversation that its client keeps: that of the message, if it was sent before, or of the
-- message before it, or else a new one. Returns no row for a temporary thread.
INSERT INTO threads (id, user_id, title, title_is_draft, unlisted)
SELECT coalesce(
    (SELECT thread_id FROM messages WHERE user_id = %(user)s AND id = %(message)s),
    (SELECT thread_id FROM messages WHERE user_id = %(user)s AND id = %(previous)s::uuid),
    %(thread)s::uuid
), %(user)s, %(title)s, true, %(unlisted)s
ON CONFLICT (id) DO UPDATE SET updated_at = now()
WHERE threads.user_id = excluded.user_id AND NOT threads.temporary
RETURNING id, temporary, title_is_draft, unlisted, xmax = 0 AS is_new, false AS begins_branch;

-- name: find_message
-- Find an existing message by id, with its reply and the run that is answering it, if any.
SELECT message.thread_id, message.text, message.enqueued, run.id AS run_id,
    reply.id AS reply_id, reply.text AS reply, reply.memories, reply.usage, reply.status, reply.finish_reason,
    reply.sources, reply.model
FROM messages message
LEFT JOIN messages reply ON reply.user_id = message.user_id AND reply.reply_to = message.id
LEFT JOIN runs run
    ON run.user_id = message.user_id AND run.thread_id = message.thread_id AND run.message_id = message.id
    AND run.status = 'running' AND run.busy_until > now() AND NOT run.stateless
WHERE message.user_id = %(user)s AND message.id = %(message)s;

-- name: insert_run
-- Start a run. Returns no row if another run of the thread is in progress.
INSERT INTO runs (user_id, id, thread_id, message_id, busy_until, stateless)
VALUES (%(user)s, %(run)s, %(thread)s, %(message)s, now() + make_interval(secs => %(lease_seconds)s), %(stateless)s)
ON CONFLICT (user_id, thread_id) WHERE status = 'running' AND NOT stateless DO NOTHING
RETURNING id;

-- name: uncheckpointed_messages
-- List the messages of the thread that its checkpoint lacks, because their runs did not complete.
SELECT id, role, text, ts, reply_to FROM messages
WHERE user_id = %(user)s AND thread_id = %(thread)s AND NOT seen AND NOT %(stateless)s
ORDER BY seq;

-- name: insert_message
-- Insert the user's message, unless it exists. A message without memory never goes to the inbox.
INSERT INTO messages (user_id, id, thread_id, role, text, enqueued, withheld, seen)
VALUES (%(user)s, %(message)s, %(thread)s, 'user', %(text)s, NOT %(memory)s, NOT %(memory)s, false)
ON CONFLICT (user_id, id) DO NOTHING;

-- name: delete_failed_reply
-- Delete the incomplete reply of a failed run before a retry.
DELETE FROM messages WHERE user_id = %(user)s AND reply_to = %(message)s AND status = 'failed';

-- name: touch_thread
-- Move the thread to the top of the list, and extend the lifetime of a temporary one.
UPDATE threads
SET updated_at = now(),
    expires_at = CASE WHEN temporary THEN now() + make_interval(secs => %(temporary_seconds)s) END
WHERE user_id = %(user)s AND id = %(thread)s;

-- name: end_run
-- End a run. Returns no row if it has already ended, or was deleted with its thread.
UPDATE runs SET status = %(status)s, ended_at = now()
WHERE user_id = %(user)s AND id = %(run)s AND status = 'running'
RETURNING id;

-- name: delete_reply
-- Delete the earlier reply to a message that was answered again.
DELETE FROM messages WHERE user_id = %(user)s AND reply_to = %(message)s;

-- name: insert_reply
-- Insert the assistant's message.
INSERT INTO messages (user_id, id, thread_id, role, text, reply_to, memories, usage, status, finish_reason, sources,
    model, seen)
VALUES (%(user)s, %(reply)s, %(thread)s, 'assistant', %(text)s, %(message)s, %(memories)s, %(usage)s, %(status)s,
    %(finish_reason)s, %(sources)s, %(model)s, %(seen)s)
ON CONFLICT DO NOTHING;

-- name: mark_messages
-- Record that the run's message is in the inbox, and that the thread's checkpoint contains all messages of the thread.
UPDATE messages SET enqueued = enqueued OR (%(in_inbox)s AND id = %(message)s), seen = seen OR %(seen)s
WHERE user_id = %(user)s AND thread_id = %(thread)s AND (id = %(message)s OR NOT seen);

-- name: mark_message
-- Record that a message is in the inbox.
UPDATE messages SET enqueued = true WHERE user_id = %(user)s AND id = %(message)s AND %(in_inbox)s;
