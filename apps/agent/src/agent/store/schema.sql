-- name: signals
-- What a search reads of a vector's row: a half as large copy for the first pass, the words of its text, and where in
-- a conversation it stands. The stock store names its columns when it writes, and does not mind these.
ALTER TABLE store_vectors
    ADD COLUMN IF NOT EXISTS near {near_type} GENERATED ALWAYS AS ({near}) STORED,
    ADD COLUMN IF NOT EXISTS words tsvector,
    ADD COLUMN IF NOT EXISTS sequence text COLLATE "C",
    ADD COLUMN IF NOT EXISTS moment text COLLATE "C";

-- name: inline
-- Read in place: a search reads this of every row of a user's. A row over 2 kB, as `near` alone may be, would have
-- whatever it can, down to its key, moved to a table of chunks; only the whole vector shall be.
ALTER TABLE store_vectors
    ALTER COLUMN near SET STORAGE PLAIN,
    ALTER COLUMN words SET STORAGE PLAIN,
    ALTER COLUMN sequence SET STORAGE PLAIN,
    ALTER COLUMN moment SET STORAGE PLAIN,
    ALTER COLUMN prefix SET STORAGE PLAIN,
    ALTER COLUMN key SET STORAGE PLAIN,
    ALTER COLUMN field_name SET STORAGE PLAIN;

-- name: words
-- The distinct words of a text without endings and stop words, the first ones up to $3 bytes: an index row has room
-- for 2.7 kB.
CREATE OR REPLACE FUNCTION store_words(regconfig, text, int) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_to_tsvector(array_agg(lexeme)), '')
    FROM (
        SELECT lexeme, sum(octet_length(lexeme) + 5) OVER (ORDER BY positions[1], lexeme) AS bytes
        FROM unnest(to_tsvector($1, left($2, 8000)))
    ) AS word
    WHERE bytes <= $3
$$;

-- name: together
-- Keeps a user's rows together and in the order of their conversations: written between those of other users, they
-- would be a page each to read.
CREATE INDEX IF NOT EXISTS store_vectors_together ON store_vectors
    (prefix text_pattern_ops, sequence, moment, key) INCLUDE (field_name, near, words);

-- name: by_prefix
-- A row of this size fits into no index: the key finds it.
CREATE INDEX IF NOT EXISTS store_vectors_by_prefix ON store_vectors (prefix text_pattern_ops);

-- name: wordless
-- What the stock store wrote, so that a start finds it without reading everything.
CREATE INDEX IF NOT EXISTS store_vectors_wordless ON store_vectors (prefix, key, field_name) WHERE words IS NULL;

-- name: function_is
-- What a function was made of, which is kept as its comment.
SELECT obj_description(oid, 'pg_proc') AS digest FROM pg_proc
WHERE proname = %(name)s AND pronamespace = current_schema()::regnamespace;

-- name: postgres
SELECT
    current_setting('server_version_num')::int / 10000 AS postgres,
    (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS pgvector,
    (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS installable;

-- name: embedding_type
SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute
WHERE attrelid = 'store_vectors'::regclass AND attname = 'embedding';

-- name: broken_indexes
-- What CREATE INDEX CONCURRENTLY leaves behind when it fails: kept up at every write, never used by a search. What
-- packing leaves behind, or is about to make, is packing's own.
SELECT indexrelid::regclass::text AS name
FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
WHERE NOT indisvalid AND indrelid IN (to_regclass('store'), to_regclass('store_vectors'))
  AND relname !~ '^store_vectors_together_cc(new|old)\d*$';

-- name: language_is
-- The language that the words are in, which is kept as the column's comment.
SELECT col_description('store_vectors'::regclass, attnum) AS language FROM pg_attribute
WHERE attrelid = 'store_vectors'::regclass AND attname = 'words';

-- name: language_for
-- The one asked for, if this Postgres knows it.
SELECT coalesce((SELECT cfgname FROM pg_ts_config WHERE cfgname = %(language)s LIMIT 1), 'simple') AS language;

-- name: forget_words
UPDATE store_vectors SET words = NULL WHERE words IS NOT NULL;

-- name: without_words
SELECT v.prefix, v.key, v.field_name, s.value
FROM store_vectors v JOIN store s USING (prefix, key)
WHERE v.words IS NULL AND (v.prefix, v.key, v.field_name) > (%(prefix)s, %(key)s, %(field)s)
ORDER BY v.prefix, v.key, v.field_name
LIMIT %(limit)s;

-- name: set_words
UPDATE store_vectors v
SET words = store_words(%(language)s::regconfig, given.body, %(bytes)s),
    sequence = given.sequence,
    moment = given.moment
FROM unnest(%(prefixes)s::text[], %(keys)s::text[], %(fields)s::text[], %(bodies)s::text[], %(sequences)s::text[],
    %(moments)s::text[]) AS given (prefix, key, field_name, body, sequence, moment)
WHERE (v.prefix, v.key, v.field_name) = (given.prefix, given.key, given.field_name);
