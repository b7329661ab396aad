-- name: has_thread
-- Check whether a thread exists; an expired temporary thread does not.
SELECT FROM threads WHERE user_id = %(user)s AND id = %(thread)s AND (NOT temporary OR expires_at > now());

-- name: mark_in_inbox
-- Record that messages have been in the inbox; return those for which this is new.
UPDATE messages SET enqueued = true WHERE user_id = %(user)s AND id = ANY(%(messages)s) AND NOT enqueued
RETURNING id;

-- name: withhold
-- Keep messages and their copies from formation: it neither adds them to the inbox again nor reads them as context.
UPDATE messages SET enqueued = true, withheld = true
WHERE user_id = %(user)s AND (id = ANY(%(messages)s) OR copied_from = ANY(%(messages)s));

-- name: withhold_all
-- Keep all messages of a user from formation.
UPDATE messages SET enqueued = true, withheld = true WHERE user_id = %(user)s AND NOT (enqueued AND withheld);

-- name: context
-- List the last messages before a message in its thread, the latest first, without those that are withheld and their
-- answers.
SELECT earlier.role, earlier.text
FROM messages message
JOIN messages earlier
    ON earlier.user_id = message.user_id AND earlier.thread_id = message.thread_id AND earlier.seq < message.seq
LEFT JOIN messages question ON question.user_id = earlier.user_id AND question.id = earlier.reply_to
WHERE message.user_id = %(user)s AND message.id = %(message)s
    AND NOT earlier.withheld AND NOT coalesce(question.withheld, false)
ORDER BY earlier.seq DESC
LIMIT %(limit)s;

-- name: find_question
-- Find a message of the user, or the one that a message answers.
SELECT question.id, question.text FROM messages message
JOIN messages question
    ON question.user_id = message.user_id AND question.id = coalesce(message.reply_to, message.id)
WHERE message.user_id = %(user)s AND message.id = %(message)s AND question.role = 'user';

-- name: recent_messages
-- List the last messages of a thread, the latest first.
SELECT id, role, text FROM messages
WHERE user_id = %(user)s AND thread_id = %(thread)s
ORDER BY seq DESC
LIMIT %(limit)s;

-- name: user_message_ids
-- List the user's own messages of a thread.
SELECT id FROM messages WHERE user_id = %(user)s AND thread_id = %(thread)s AND role = 'user';

-- name: busy_threads
-- List the user's threads with a run whose lease has not expired.
SELECT thread_id AS id FROM runs WHERE user_id = %(user)s AND status = 'running' AND busy_until > now();

-- name: missing_from_inbox
-- List the user's messages that were never in the inbox, in threads without a run.
SELECT m.id, m.thread_id, m.text, m.ts, coalesce(reply.text, '') AS answer, coalesce(u.time_zone, '') AS time_zone
FROM messages m
LEFT JOIN users u ON u.id = m.user_id
LEFT JOIN messages reply ON reply.user_id = m.user_id AND reply.reply_to = m.id
WHERE m.user_id = %(user)s AND NOT m.enqueued AND NOT EXISTS (
    SELECT FROM runs r
    WHERE r.user_id = m.user_id AND r.thread_id = m.thread_id AND r.status = 'running' AND r.busy_until > now()
)
ORDER BY m.seq
LIMIT 500;
