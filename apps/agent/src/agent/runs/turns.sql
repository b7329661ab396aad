-- name: hold_user
-- The account stays until the end of the transaction. First of all rows, as whoever erases it takes them.
SELECT id FROM users WHERE id = %(user)s FOR KEY SHARE;

-- name: hold_thread
-- Make the thread, or take it if it is the user's own; whoever begins or ends a run in it waits for its turn.
-- No row, it is a temporary one that is over.
INSERT INTO threads (id, user_id, title, title_is_draft, temporary, expires_at)
VALUES (%(thread)s, %(user)s, %(title)s, true, %(temporary)s,
    CASE WHEN %(temporary)s THEN now() + make_interval(secs => %(temporary_seconds)s) END)
ON CONFLICT (id) DO UPDATE
SET title = CASE WHEN threads.title = '' THEN excluded.title ELSE threads.title END,
    title_is_draft = threads.title_is_draft OR threads.title = '',
    updated_at = now(),
    expires_at = CASE WHEN threads.temporary THEN now() + make_interval(secs => %(temporary_seconds)s) END
WHERE threads.user_id = excluded.user_id AND (NOT threads.temporary OR threads.expires_at > now())
RETURNING temporary, title_is_draft;

-- name: said_before
-- What is already there under a message's id: with its answer if it has one, and the run that is giving it.
SELECT said.thread_id, said.text, run.id AS run_id,
    reply.id AS reply_id, reply.text AS reply, reply.memories, reply.usage, reply.status
FROM messages said
LEFT JOIN messages reply ON reply.user_id = said.user_id AND reply.reply_to = said.id
LEFT JOIN runs run
    ON run.user_id = said.user_id AND run.thread_id = said.thread_id AND run.message_id = said.id
    AND run.status = 'running' AND run.busy_until > now()
WHERE said.user_id = %(user)s AND said.id = %(message)s;

-- name: begin_run
-- Hold the thread; no row, another run does.
INSERT INTO runs (user_id, id, thread_id, message_id, busy_until)
VALUES (%(user)s, %(run)s, %(thread)s, %(message)s, now() + make_interval(secs => %(lease_seconds)s))
ON CONFLICT (user_id, thread_id) WHERE status = 'running' DO NOTHING
RETURNING id;

-- name: unseen
-- What was said in the thread, and its checkpoint does not have: runs broke off there.
SELECT id, role, text, ts, reply_to FROM messages
WHERE user_id = %(user)s AND thread_id = %(thread)s AND NOT seen
ORDER BY seq;

-- name: say
INSERT INTO messages (user_id, id, thread_id, role, text, noted, seen)
VALUES (%(user)s, %(message)s, %(thread)s, 'user', %(text)s, NOT %(remembered)s, false)
ON CONFLICT (user_id, id) DO NOTHING;

-- name: retract
-- A failed answer gives way to the next try.
DELETE FROM messages WHERE user_id = %(user)s AND reply_to = %(message)s AND status = 'failed';

-- name: touch_thread
UPDATE threads
SET updated_at = now(),
    expires_at = CASE WHEN temporary THEN now() + make_interval(secs => %(temporary_seconds)s) END
WHERE user_id = %(user)s AND id = %(thread)s;

-- name: end_run
-- A run ends once; no row, it has ended already, or is gone with its thread.
UPDATE runs SET status = %(status)s, ended_at = now()
WHERE user_id = %(user)s AND id = %(run)s AND status = 'running'
RETURNING id;

-- name: reply
INSERT INTO messages (user_id, id, thread_id, role, text, reply_to, memories, usage, status, seen)
VALUES (%(user)s, %(reply)s, %(thread)s, 'assistant', %(text)s, %(message)s, %(memories)s, %(usage)s, %(status)s,
    %(seen)s)
ON CONFLICT DO NOTHING;

-- name: settle
-- What becomes of the messages of a run that has ended: its own may be noted, and all that it was given may be seen.
UPDATE messages SET noted = noted OR (%(noted)s AND id = %(message)s), seen = seen OR %(seen)s
WHERE user_id = %(user)s AND thread_id = %(thread)s AND (id = %(message)s OR NOT seen);
