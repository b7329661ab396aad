-- name: read_version
-- Count an owner's vectors in some namespaces, and find when one of them changed last.
SELECT count(*) AS vectors, coalesce(extract(epoch FROM max(updated_at)) * 1000000, 0)::bigint AS changed_at
FROM store_vectors WHERE prefix = ANY(%(prefixes)s::text[]);

-- name: read_vectors
-- Read the half-precision vectors of some namespaces, in a fixed order.
SELECT prefix, key, near FROM store_vectors
WHERE prefix = ANY(%(prefixes)s::text[])
ORDER BY prefix, key, field_name
LIMIT %(limit)s;
