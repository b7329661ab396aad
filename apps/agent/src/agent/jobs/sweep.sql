-- name: unscheduled_users
-- Page through the users without a row in the queue; flag those with a message that never reached the inbox.
SELECT id, EXISTS (SELECT FROM messages WHERE user_id = users.id AND NOT enqueued) AS missing_from_inbox
FROM users
WHERE id > %(after)s AND NOT EXISTS (SELECT FROM formation WHERE user_id = users.id)
ORDER BY id
LIMIT %(limit)s;

-- name: schedule_users
-- Make these users due now, except those deleted in the meantime.
INSERT INTO formation (user_id, due_at)
SELECT id, now() FROM users WHERE id = ANY(%(users)s) FOR KEY SHARE
ON CONFLICT DO NOTHING;
