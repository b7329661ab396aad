-- name: alone
-- One writer of several rows per owner at a time: two that take the same rows in different orders would wait for each
-- other for ever.
SELECT pg_advisory_xact_lock(hashtextextended(%(owner)s, 0));

-- name: as_read
-- Lock what was read, in one order for all, and tell what it is now.
SELECT store.prefix, store.key, store.updated_at
FROM store JOIN unnest(%(prefixes)s::text[], %(keys)s::text[]) AS read (prefix, key)
    ON store.prefix = read.prefix AND store.key = read.key
WHERE store.expires_at IS NULL OR store.expires_at > now()
ORDER BY store.prefix, store.key
FOR UPDATE OF store;

-- name: erase_items
-- Everything of an owner's, by its namespaces; the two bounds are what begins with the owner and a dot.
WITH gone AS (
    DELETE FROM store
    WHERE prefix = %(owner)s OR (prefix ~>=~ (%(owner)s || '.') AND prefix ~<~ (%(owner)s || '/'))
    RETURNING prefix
)
SELECT prefix, count(*) AS rows FROM gone GROUP BY prefix;

-- name: erase_vectors
WITH gone AS (
    DELETE FROM store_vectors
    WHERE prefix = %(owner)s OR (prefix ~>=~ (%(owner)s || '.') AND prefix ~<~ (%(owner)s || '/'))
    RETURNING prefix
)
SELECT prefix, count(*) AS rows FROM gone GROUP BY prefix;

-- name: delete
DELETE FROM store USING unnest(%(prefixes)s::text[], %(keys)s::text[]) AS gone (prefix, key)
WHERE store.prefix = gone.prefix AND store.key = gone.key;

-- name: put
INSERT INTO store (prefix, key, value, created_at, updated_at, expires_at, ttl_minutes)
SELECT prefix, key, value::jsonb, now(), now(), now() + make_interval(secs => 60 * minutes), ceil(minutes)::int
FROM unnest(%(prefixes)s::text[], %(keys)s::text[], %(values)s::text[], %(minutes)s::float8[])
    AS given (prefix, key, value, minutes)
ORDER BY prefix, key
ON CONFLICT (prefix, key) DO UPDATE
SET value = excluded.value,
    updated_at = excluded.updated_at,
    expires_at = excluded.expires_at,
    ttl_minutes = excluded.ttl_minutes;

-- name: forget_vectors
-- Of what was written anew, the vectors of fields that it does not have any more.
DELETE FROM store_vectors v
USING unnest(%(prefixes)s::text[], %(keys)s::text[]) AS given (prefix, key)
WHERE v.prefix = given.prefix AND v.key = given.key
  AND NOT EXISTS (
      SELECT FROM unnest(%(indexed_prefixes)s::text[], %(indexed_keys)s::text[], %(indexed_fields)s::text[])
          AS kept (prefix, key, field_name)
      WHERE (kept.prefix, kept.key, kept.field_name) = (v.prefix, v.key, v.field_name)
  );

-- name: put_vector
-- The item's row comes first, as it does for whoever deletes it.
INSERT INTO store_vectors (prefix, key, field_name, embedding, words, sequence, moment)
SELECT prefix, key, %(field)s, %(vector)b::vector,
    store_words(%(language)s::regconfig, %(body)s, %(bytes)s), %(sequence)s, %(moment)s
FROM store WHERE prefix = %(prefix)s AND key = %(key)s
FOR KEY SHARE
ON CONFLICT (prefix, key, field_name) DO UPDATE
SET embedding = excluded.embedding, words = excluded.words, sequence = excluded.sequence, moment = excluded.moment,
    updated_at = now();

-- name: update
-- Replace a value that is still there.
UPDATE store SET value = %(value)s::jsonb, updated_at = now()
WHERE prefix = %(prefix)s AND key = %(key)s;

-- name: refresh
-- Whoever is read lives on for as long as it was given.
UPDATE store SET expires_at = now() + make_interval(mins => ttl_minutes)
FROM unnest(%(prefixes)s::text[], %(keys)s::text[]) AS seen (prefix, key)
WHERE store.prefix = seen.prefix AND store.key = seen.key AND store.ttl_minutes IS NOT NULL;
