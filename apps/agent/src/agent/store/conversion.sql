-- name: vectors
-- Read the type of the vectors, and whether a conversion has started.
SELECT format_type(atttypid, atttypmod) AS type, to_regclass('store_vectors_next') IS NOT NULL AS has_started
FROM pg_attribute
WHERE attrelid = to_regclass('store_vectors') AND attname = 'embedding';

-- name: record_changes
-- Record by trigger which vectors are written or deleted; without a unique key, so that writers do not block each other.
CREATE TABLE IF NOT EXISTS store_vectors_changed (
    id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    prefix text NOT NULL,
    key    text NOT NULL
);
ALTER TABLE store_vectors_changed ENABLE ROW LEVEL SECURITY;
CREATE OR REPLACE FUNCTION store_vectors_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO store_vectors_changed (prefix, key) VALUES (coalesce(new.prefix, old.prefix), coalesce(new.key, old.key));
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER store_vectors_changed AFTER INSERT OR UPDATE OR DELETE ON store_vectors
    FOR EACH ROW EXECUTE FUNCTION store_vectors_changed();

-- name: drop
-- Discard an unfinished conversion.
DROP FUNCTION IF EXISTS store_vectors_changed CASCADE;
DROP TABLE IF EXISTS store_vectors_changed, store_vectors_next;

-- name: language
-- Read the language of the new table's words, which was fixed when the conversion started.
SELECT split_part(col_description('store_vectors_next'::regclass, attnum), ' ', 1) AS language FROM pg_attribute
WHERE attrelid = 'store_vectors_next'::regclass AND attname = 'words';

-- name: progress
-- Count the converted vectors, and all of them.
SELECT (SELECT count(*) FROM store_vectors_next) AS done, (SELECT count(*) FROM store_vectors) AS total;

-- name: unconverted
-- List the next vectors that have no new one, or one of an earlier text.
-- Subqueries, not joins: Postgres underestimates the result of the joins, and would sort the whole table for each page.
SELECT prefix, key, field_name,
    (SELECT value FROM store s WHERE (s.prefix, s.key) = (v.prefix, v.key)) AS value
FROM store_vectors v
WHERE (prefix, key, field_name) > (%(prefix)s, %(key)s, %(field)s)
  AND updated_at IS DISTINCT FROM (
      SELECT n.updated_at FROM store_vectors_next n
      WHERE (n.prefix, n.key, n.field_name) = (v.prefix, v.key, v.field_name)
  )
ORDER BY prefix, key, field_name
LIMIT %(limit)s;

-- name: changes
-- List the oldest recorded changes with the current vectors; an item without vectors has one row without a field.
SELECT prefix, key, ids, field_name,
    (SELECT value FROM store s WHERE (s.prefix, s.key) = (changed.prefix, changed.key)) AS value
FROM (
    SELECT prefix, key, array_agg(id) AS ids
    FROM (SELECT * FROM store_vectors_changed ORDER BY id LIMIT %(limit)s) AS oldest
    GROUP BY prefix, key
) AS changed
LEFT JOIN store_vectors USING (prefix, key)
ORDER BY prefix, key, field_name;

-- name: convert
-- Insert or replace a new vector, if the old one exists; locks the item first, in the same order as a delete.
-- A text that changed since it was read is recorded by the trigger, and converted again.
INSERT INTO store_vectors_next (
    prefix, key, field_name, embedding, words, sequence, moment, created_at, updated_at
)
SELECT prefix, key, field_name, %(vector)b::float8[]::vector,
    store_words(%(language)s::regconfig, %(body)s, %(bytes)s), %(sequence)s, %(moment)s, v.created_at, v.updated_at
FROM store JOIN store_vectors v USING (prefix, key)
WHERE prefix = %(prefix)s AND key = %(key)s AND field_name = %(field)s
FOR KEY SHARE OF store
ON CONFLICT (prefix, key, field_name) DO UPDATE
SET embedding = excluded.embedding, words = excluded.words, sequence = excluded.sequence, moment = excluded.moment,
    updated_at = excluded.updated_at;

-- name: delete_stale
-- Delete the new vectors of changed items whose texts no longer exist.
DELETE FROM store_vectors_next n
USING unnest(%(prefixes)s::text[], %(keys)s::text[]) AS changed (prefix, key)
WHERE n.prefix = changed.prefix AND n.key = changed.key
  AND NOT EXISTS (
      SELECT FROM unnest(%(kept_prefixes)s::text[], %(kept_keys)s::text[], %(kept_fields)s::text[])
          AS kept (prefix, key, field_name)
      WHERE (kept.prefix, kept.key, kept.field_name) = (n.prefix, n.key, n.field_name)
  );

-- name: delete_changes
-- Delete changes that were converted.
DELETE FROM store_vectors_changed WHERE id = ANY (%(ids)s);

-- name: vacuum
-- Mark all pages as visible, so that the first searches can already use index-only scans.
VACUUM (ANALYZE) store_vectors_next;

-- name: lock
-- Block all reads and writes of the store; locks are taken in the same order as by a write.
LOCK TABLE store, store_vectors IN ACCESS EXCLUSIVE MODE;

-- name: swap
-- Replace the old table by the new one, and rename its partitions, constraints and indexes. The names of constraints are
-- read one at a time, because renaming one of the table may rename those of its partitions.
DROP TABLE store_vectors;
DROP TABLE store_vectors_changed;
DROP FUNCTION store_vectors_changed;
DO $$
DECLARE
    tables regclass[] := ARRAY(
        SELECT 'store_vectors_next'::regclass
        UNION ALL
        SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'store_vectors_next'::regclass
    );
    renamed regclass;
    name text;
BEGIN
    FOREACH renamed IN ARRAY tables LOOP
        name := (SELECT relname FROM pg_class WHERE oid = renamed);
        EXECUTE format('ALTER TABLE %I RENAME TO %I', name, replace(name, '_next', ''));
        LOOP
            SELECT conname INTO name FROM pg_constraint
            WHERE conrelid = renamed AND starts_with(conname, 'store_vectors_next') LIMIT 1;
            EXIT WHEN name IS NULL;
            EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', renamed, name, replace(name, '_next', ''));
        END LOOP;
    END LOOP;
    FOR name IN
        SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indrelid = ANY (tables) AND starts_with(relname, 'store_vectors_next')
    LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', name, replace(name, '_next', ''));
    END LOOP;
END $$;

-- name: installation
-- Read which model the vectors are from, and the target of an unfinished conversion.
SELECT name, value FROM installation WHERE name IN ('embedder', 'reembedding');

-- name: start
-- Record the target of a conversion.
INSERT INTO installation VALUES ('reembedding', %(target)s)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: clear_target
-- Delete the target of a conversion.
DELETE FROM installation WHERE name = 'reembedding';

-- name: finish
-- Record the model of the new vectors.
INSERT INTO installation VALUES ('embedder', %(target)s)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;
