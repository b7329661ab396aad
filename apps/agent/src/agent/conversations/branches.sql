-- name: lock_user
-- Lock the account until the end of the transaction. It must be the first lock, as in the erasure of an account.
SELECT id FROM users WHERE id = %(user)s FOR KEY SHARE;

-- name: list_family
-- List the threads of a conversation, the oldest first.
SELECT id, parent_id, branched_at, updated_at
FROM threads
WHERE user_id = %(user)s AND (NOT temporary OR expires_at > now()) AND coalesce(family_id, id) = (
    SELECT coalesce(family_id, id) FROM threads WHERE user_id = %(user)s AND id = %(thread)s
)
ORDER BY created_at, id;

-- name: find_start
-- Find the question that a branch replaces, or whose answer it replaces, and count the messages before it.
SELECT question.seq, (
    SELECT count(*) FROM messages earlier
    WHERE earlier.user_id = question.user_id AND earlier.thread_id = question.thread_id AND earlier.seq < question.seq
)::int AS position
FROM messages message
JOIN messages question ON question.user_id = message.user_id AND question.id = coalesce(message.reply_to, message.id)
WHERE message.user_id = %(user)s AND message.thread_id = %(thread)s AND message.id = %(before)s;

-- name: insert
-- Create a branch of a thread, with its title.
INSERT INTO threads (id, user_id, title, title_is_draft, temporary, expires_at, pinned, archived, family_id, parent_id,
    branched_at)
SELECT %(branch)s::uuid, user_id, title, title_is_draft, temporary,
    CASE WHEN temporary THEN now() + make_interval(secs => %(temporary_seconds)s) END, pinned, archived,
    coalesce(family_id, id), %(parent)s::uuid, %(position)s::int
FROM threads
WHERE user_id = %(user)s AND id = %(thread)s
RETURNING id, title, temporary, created_at, updated_at, pinned, archived;

-- name: copy_messages
-- Copy the messages before the branch. They are never added to the inbox, and the next turn adds the latest ones to the
-- new checkpoint.
INSERT INTO messages (user_id, id, thread_id, role, text, ts, reply_to, memories, usage, status, finish_reason,
    sources, model, withheld, seen, copied_from)
SELECT user_id, md5(%(branch)s::text || id)::uuid, %(branch)s::uuid, role, text, ts, md5(%(branch)s::text || reply_to)::uuid, memories,
    usage, status, finish_reason, sources, model, withheld, row_number() OVER (ORDER BY seq DESC) > %(checkpointed)s,
    coalesce(copied_from, id)
FROM messages
WHERE user_id = %(user)s AND thread_id = %(thread)s AND seq < %(seq)s
ORDER BY seq;

-- name: replaced_messages
-- List the messages that the first message of a branch replaces: those with other texts at its place, in the thread that
-- the branch leaves, and in the other branches that leave it there.
SELECT replaced.id
FROM threads branch
JOIN threads alternative ON alternative.user_id = branch.user_id AND (
    alternative.id = branch.parent_id
    OR (
        alternative.parent_id = branch.parent_id AND alternative.branched_at = branch.branched_at
        AND alternative.id <> branch.id
    )
)
CROSS JOIN LATERAL (
    SELECT id, role, text FROM messages
    WHERE user_id = alternative.user_id AND thread_id = alternative.id
    ORDER BY seq OFFSET branch.branched_at LIMIT 1
) replaced
WHERE branch.user_id = %(user)s AND branch.id = %(thread)s AND replaced.role = 'user'
    AND btrim(replaced.text) <> btrim(%(text)s);
