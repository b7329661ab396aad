-- name: count_items
-- Count the items of some namespaces.
SELECT count(*) AS items FROM store
WHERE prefix = ANY(%(prefixes)s::text[]) AND (expires_at IS NULL OR expires_at > now());
