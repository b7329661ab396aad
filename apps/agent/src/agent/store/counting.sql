-- name: count_items
-- Count the items of some namespaces.
SELECT count(*) AS items FROM store
WHERE prefix = ANY(%(prefixes)s::text[]) AND (expires_at IS NULL OR expires_at > now());

-- name: non_empty
-- List the namespaces that contain an item; one index lookup for each.
SELECT prefix FROM unnest(%(prefixes)s::text[]) AS candidate (prefix)
WHERE EXISTS (
    SELECT FROM store WHERE store.prefix = candidate.prefix AND (expires_at IS NULL OR expires_at > now())
);

-- name: count_below
-- Count the items of a namespace and of all namespaces below it.
SELECT count(*) AS items FROM store
WHERE (prefix = %(prefix)s OR (prefix ~>=~ (%(prefix)s || '.') AND prefix ~<~ (%(prefix)s || '/')))
    AND (expires_at IS NULL OR expires_at > now());
