-- name: unscheduled
-- Users whom nobody is about to distil anything for, and whether a message of theirs never reached the inbox.
SELECT id, EXISTS (SELECT FROM messages WHERE user_id = users.id AND NOT noted) AS missed
FROM users
WHERE id > %(after)s AND NOT EXISTS (SELECT FROM formation WHERE user_id = users.id)
ORDER BY id
LIMIT %(limit)s;

-- name: schedule
-- Those of the users who are still there are due now.
INSERT INTO formation (user_id, due_at)
SELECT id, now() FROM users WHERE id = ANY(%(users)s) FOR KEY SHARE
ON CONFLICT DO NOTHING;
