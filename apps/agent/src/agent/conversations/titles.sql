-- name: claim_draft
-- Claim the replacement of a draft title, which happens once per thread.
UPDATE threads SET title_is_draft = false
WHERE user_id = %(user)s AND id = %(thread)s AND title_is_draft
RETURNING title;

-- name: replace
-- Replace a title, unless the user has changed it in the meantime.
UPDATE threads SET title = %(title)s WHERE user_id = %(user)s AND id = %(thread)s AND title = %(old)s;
