-- name: lock_user
-- Lock the account, so that no thread can be added. All transactions lock users before threads, which avoids deadlocks.
SELECT id FROM users WHERE id = %(user)s FOR UPDATE;

-- name: lock_threads
-- Lock the user's threads, in the order of their ids.
SELECT id FROM threads WHERE user_id = %(user)s ORDER BY id FOR UPDATE;
