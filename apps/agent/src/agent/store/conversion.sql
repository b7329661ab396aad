-- name: vectors
-- What the vectors are, and whether there is a table beside for new ones.
SELECT format_type(atttypid, atttypmod) AS type, to_regclass('store_vectors_next') IS NOT NULL AS begun
FROM pg_attribute
WHERE attrelid = to_regclass('store_vectors') AND attname = 'embedding';

-- name: note_changes
-- Whoever writes or deletes a vector says whose; no key, so that nobody waits for anybody here.
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
DROP FUNCTION IF EXISTS store_vectors_changed CASCADE;
DROP TABLE IF EXISTS store_vectors_changed, store_vectors_next;

-- name: language
-- The language of the new table's words: that of its beginning, also when the settings have changed since.
SELECT col_description('store_vectors_next'::regclass, attnum) AS language FROM pg_attribute
WHERE attrelid = 'store_vectors_next'::regclass AND attname = 'words';

-- name: progress
SELECT (SELECT count(*) FROM store_vectors_next) AS done, (SELECT count(*) FROM store_vectors) AS total;

-- name: waiting
-- What has no new vector, or one of an earlier text. Subqueries, not joins: Postgres thinks that these joins leave next
-- to nothing, and would sort the whole table for each page.
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
-- The oldest that was noted, and what is there now: a row for each vector, one without a field where there is none.
SELECT prefix, key, ids, field_name,
    (SELECT value FROM store s WHERE (s.prefix, s.key) = (noted.prefix, noted.key)) AS value
FROM (
    SELECT prefix, key, array_agg(id) AS ids
    FROM (SELECT * FROM store_vectors_changed ORDER BY id LIMIT %(limit)s) AS oldest
    GROUP BY prefix, key
) AS noted
LEFT JOIN store_vectors USING (prefix, key)
ORDER BY prefix, key, field_name;

-- name: convert
-- What was written since it was read is noted, and comes again. The item's row comes first, as it does for whoever
-- deletes it.
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

-- name: forget
-- Of what was noted, the new vectors of texts that are gone.
DELETE FROM store_vectors_next n
USING unnest(%(prefixes)s::text[], %(keys)s::text[]) AS noted (prefix, key)
WHERE n.prefix = noted.prefix AND n.key = noted.key
  AND NOT EXISTS (
      SELECT FROM unnest(%(kept_prefixes)s::text[], %(kept_keys)s::text[], %(kept_fields)s::text[])
          AS kept (prefix, key, field_name)
      WHERE (kept.prefix, kept.key, kept.field_name) = (n.prefix, n.key, n.field_name)
  );

-- name: caught_up
DELETE FROM store_vectors_changed WHERE id = ANY (%(ids)s);

-- name: settle
-- So that an index alone answers searches from the first one on.
VACUUM (ANALYZE) store_vectors_next;

-- name: lock
-- In the order in which a write takes them.
LOCK TABLE store, store_vectors IN ACCESS EXCLUSIVE MODE;

-- name: swap
DROP TABLE store_vectors;
DROP TABLE store_vectors_changed;
DROP FUNCTION store_vectors_changed;
ALTER TABLE store_vectors_next RENAME TO store_vectors;
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN
        SELECT conname FROM pg_constraint
        WHERE conrelid = 'store_vectors'::regclass AND starts_with(conname, 'store_vectors_next')
    LOOP
        EXECUTE format('ALTER TABLE store_vectors RENAME CONSTRAINT %I TO %I', name, replace(name, '_next', ''));
    END LOOP;
    FOR name IN
        SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indrelid = 'store_vectors'::regclass AND starts_with(relname, 'store_vectors_next')
    LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', name, replace(name, '_next', ''));
    END LOOP;
END $$;

-- name: kept
-- What the installation knows of its vectors: whose they are, and to what they were being converted.
SELECT name, value FROM installation WHERE name IN ('embedder', 'reembedding');

-- name: begin
INSERT INTO installation VALUES ('reembedding', %(target)s)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: abandon
DELETE FROM installation WHERE name = 'reembedding';

-- name: end
INSERT INTO installation VALUES ('embedder', %(target)s)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;
