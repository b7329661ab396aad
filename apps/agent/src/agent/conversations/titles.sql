-- name: claim
-- Whoever gets the first words may replace them; nobody else will.
UPDATE threads SET title_is_draft = false
WHERE user_id = %(user)s AND id = %(thread)s AND title_is_draft
RETURNING title;

-- name: replace
-- Unless the user has given it another title meanwhile.
UPDATE threads SET title = %(title)s WHERE user_id = %(user)s AND id = %(thread)s AND title = %(old)s;
