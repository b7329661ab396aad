-- name: lock_owner
-- Serialise the transactions of an owner that write several rows; in different orders they would deadlock.
SELECT pg_advisory_xact_lock(hashtextextended(%(owner)s, 0));

-- name: lock_items
-- Lock the items that were read, in a fixed order, and return when they were last updated.
SELECT store.prefix, store.key, store.updated_at
FROM store JOIN unnest(%(prefixes)s::text[], %(keys)s::text[]) AS read (prefix, key)
    ON store.prefix = read.prefix AND store.key = read.key
WHERE store.expires_at IS NULL OR store.expires_at > now()
ORDER BY store.prefix, store.key
FOR UPDATE OF store;

-- name: erase_items
-- Delete all items of an owner, and count them by namespace.
WITH deleted AS (
    DELETE FROM store
    WHERE prefix = %(owner)s OR (prefix ~>=~ (%(owner)s || '.') AND prefix ~<~ (%(owner)s || '/'))
    RETURNING prefix
)
SELECT prefix, count(*) AS rows FROM deleted GROUP BY prefix;

-- name: erase_vectors
-- Delete all vectors of an owner, and count them by namespace.
WITH deleted AS (
    DELETE FROM store_vectors
    WHERE prefix = %(owner)s OR (prefix ~>=~ (%(owner)s || '.') AND prefix ~<~ (%(owner)s || '/'))
    RETURNING prefix
)
SELECT prefix, count(*) AS rows FROM deleted GROUP BY prefix;

-- name: delete
-- Delete items; their vectors are deleted by the foreign key.
DELETE FROM store USING unnest(%(prefixes)s::text[], %(keys)s::text[]) AS deleted (prefix, key)
WHERE store.prefix = deleted.prefix AND store.key = deleted.key;

-- name: put
-- Insert or replace items.
INSERT INTO store (prefix, key, value, created_at, updated_at, expires_at, ttl_minutes)
SELECT prefix, key, value::jsonb, now(), now(), now() + make_interval(secs => 60 * minutes), ceil(minutes)::int
FROM unnest(%(prefixes)s::text[], %(keys)s::text[], %(values)s::text[], %(minutes)s::float8[])
    AS written (prefix, key, value, minutes)
ORDER BY prefix, key
ON CONFLICT (prefix, key) DO UPDATE
SET value = excluded.value,
    updated_at = excluded.updated_at,
    expires_at = excluded.expires_at,
    ttl_minutes = excluded.ttl_minutes;

-- name: delete_stale_vectors
-- Delete the vectors of fields that the new values do not have.
DELETE FROM store_vectors v
USING unnest(%(prefixes)s::text[], %(keys)s::text[]) AS written (prefix, key)
WHERE v.prefix = written.prefix AND v.key = written.key
  AND NOT EXISTS (
      SELECT FROM unnest(%(indexed_prefixes)s::text[], %(indexed_keys)s::text[], %(indexed_fields)s::text[])
          AS indexed (prefix, key, field_name)
      WHERE (indexed.prefix, indexed.key, indexed.field_name) = (v.prefix, v.key, v.field_name)
  );

-- name: put_vector
-- Insert or replace a vector, if its item exists; locks the item first, in the same order as a delete.
INSERT INTO store_vectors (prefix, key, field_name, embedding, words, sequence, moment)
SELECT prefix, key, %(field)s, %(vector)b::vector,
    store_words(%(language)s::regconfig, %(body)s, %(bytes)s), %(sequence)s, %(moment)s
FROM store WHERE prefix = %(prefix)s AND key = %(key)s
FOR KEY SHARE
ON CONFLICT (prefix, key, field_name) DO UPDATE
SET embedding = excluded.embedding, words = excluded.words, sequence = excluded.sequence, moment = excluded.moment,
    updated_at = now();

-- name: add_vector
-- Insert or replace a vector, as put_vector does, if its item exists with the same text.
INSERT INTO store_vectors (prefix, key, field_name, embedding, words, sequence, moment)
SELECT prefix, key, %(field)s, %(vector)b::vector,
    store_words(%(language)s::regconfig, %(body)s, %(bytes)s), %(sequence)s, %(moment)s
FROM store
WHERE prefix = %(prefix)s AND key = %(key)s AND value->>'text' IS NOT DISTINCT FROM %(value)s::jsonb->>'text'
FOR KEY SHARE
ON CONFLICT (prefix, key, field_name) DO UPDATE
SET embedding = excluded.embedding, words = excluded.words, sequence = excluded.sequence, moment = excluded.moment,
    updated_at = now();

-- name: update
-- Replace the value of an item, if it exists with the same text: a text that was changed meanwhile is not restored.
UPDATE store SET value = %(value)s::jsonb, updated_at = now()
WHERE prefix = %(prefix)s AND key = %(key)s AND value->>'text' IS NOT DISTINCT FROM %(value)s::jsonb->>'text';

-- name: refresh_ttl
-- Restart the time to live of items that were read.
UPDATE store SET expires_at = now() + make_interval(mins => ttl_minutes)
FROM unnest(%(prefixes)s::text[], %(keys)s::text[]) AS read (prefix, key)
WHERE store.prefix = read.prefix AND store.key = read.key AND store.ttl_minutes IS NOT NULL;
