-- name: nearest
-- The nearest items of each namespace and of those under it, compared exactly: the user's rows are found by key, so what
-- other users have costs nothing and hides nothing. $prefixes and $limits are of one length; $vector is the query's.
WITH wanted AS (
    SELECT * FROM unnest(%(prefixes)s::text[], %(limits)s::int[]) WITH ORDINALITY AS w (prefix, most, n)
)
SELECT wanted.n, item.prefix, item.key, item.value, item.created_at, item.updated_at, 1 - best.distance AS score
FROM wanted
CROSS JOIN LATERAL (
    SELECT mine.prefix, mine.key, min(mine.embedding <=> %(vector)s::vector) AS distance
    FROM (
        SELECT v.prefix, v.key, v.embedding FROM store_vectors v WHERE v.prefix = wanted.prefix
        UNION ALL
        SELECT v.prefix, v.key, v.embedding
        FROM store child
        JOIN store_vectors v ON v.prefix = child.prefix AND v.key = child.key
        WHERE child.prefix ~>=~ (wanted.prefix || '.') AND child.prefix ~<~ (wanted.prefix || '/')
    ) AS mine
    GROUP BY mine.prefix, mine.key
    ORDER BY distance, mine.key
    LIMIT wanted.most
) AS best
JOIN store item ON item.prefix = best.prefix AND item.key = best.key
WHERE item.expires_at IS NULL OR item.expires_at > now()
ORDER BY wanted.n, best.distance, item.key;

-- name: with_words
-- The items of each namespace that share a word with the query, the most telling first; if $unindexed, only those
-- that have no vector to be found by.
WITH wanted AS (
    SELECT * FROM unnest(%(prefixes)s::text[]) WITH ORDINALITY AS w (prefix, n)
),
query AS (
    -- the words OR-ed: AND-ed, a question hardly ever finds its answer
    SELECT replace(plainto_tsquery('english', %(query)s)::text, '&', '|')::tsquery AS words
)
SELECT wanted.n, best.*
FROM wanted
CROSS JOIN query
CROSS JOIN LATERAL (
    SELECT item.prefix, item.key, item.value, item.created_at, item.updated_at
    FROM store item
    CROSS JOIN LATERAL to_tsvector('english', item.value ->> 'text') AS words
    WHERE item.prefix = wanted.prefix
      AND words @@ query.words
      AND (
          NOT %(unindexed)s
          OR NOT EXISTS (SELECT FROM store_vectors v WHERE v.prefix = item.prefix AND v.key = item.key)
      )
      AND (item.expires_at IS NULL OR item.expires_at > now())
    ORDER BY ts_rank(words, query.words) DESC, item.key
    LIMIT %(limit)s
) AS best
ORDER BY wanted.n;

-- name: update
-- Replace a value that is still there.
UPDATE store SET value = %(value)s, updated_at = now()
WHERE prefix = %(prefix)s AND key = %(key)s;

-- name: index
-- Set the vector of an item that is still there.
INSERT INTO store_vectors (prefix, key, field_name, embedding)
SELECT prefix, key, 'text', %(vector)s::vector FROM store WHERE prefix = %(prefix)s AND key = %(key)s
ON CONFLICT (prefix, key, field_name) DO UPDATE SET embedding = excluded.embedding, updated_at = now();
