-- Steps and checks of the store's tables. Steps are written for cosine and 1,536 dimensions, and for the table
-- store_vectors; `schema.py` replaces `l2_normalize(embedding)`, `1536` and the table's name where others are needed.

-- name: search_columns
-- Add what a search reads: a half-precision copy of the vector, the words of the text, and its place in a conversation.
-- The stock store lists its columns when it writes, and ignores these.
ALTER TABLE store_vectors
    ADD COLUMN IF NOT EXISTS near halfvec(1536) GENERATED ALWAYS AS (l2_normalize(embedding)::halfvec(1536)) STORED,
    ADD COLUMN IF NOT EXISTS words tsvector,
    ADD COLUMN IF NOT EXISTS sequence text COLLATE "C",
    ADD COLUMN IF NOT EXISTS moment text COLLATE "C";

-- name: inline_storage
-- Keep all columns but the full vector in the main table, because a search reads them of each of a user's rows.
-- In a row of over 2 kB, which `near` alone may exceed, Postgres would move whatever it can to the TOAST table.
ALTER TABLE store_vectors
    ALTER COLUMN near SET STORAGE PLAIN,
    ALTER COLUMN words SET STORAGE PLAIN,
    ALTER COLUMN sequence SET STORAGE PLAIN,
    ALTER COLUMN moment SET STORAGE PLAIN,
    ALTER COLUMN prefix SET STORAGE PLAIN,
    ALTER COLUMN key SET STORAGE PLAIN,
    ALTER COLUMN field_name SET STORAGE PLAIN;

-- name: covering_index
-- Store a user's rows side by side in the order of their conversations; in the table, each may be on a page of its own.
CREATE INDEX IF NOT EXISTS store_vectors_together ON store_vectors
    (prefix text_pattern_ops, sequence, moment, key) INCLUDE (field_name, near, words);

-- name: prefix_index
-- Index the namespace alone, where a row is too large for the covering index.
CREATE INDEX IF NOT EXISTS store_vectors_by_prefix ON store_vectors (prefix text_pattern_ops);

-- name: wordless_index
-- Find the rows that the stock store wrote without reading the whole table.
CREATE INDEX IF NOT EXISTS store_vectors_wordless ON store_vectors (prefix, key, field_name) WHERE words IS NULL;

-- name: history_values
-- Convert actors and reasons of earlier versions in the history of all users and in the log of changes; see `Actor` and
-- `Reason` in `agent.memory.records.history`.
DO $$ BEGIN
    UPDATE store SET value = value
        || CASE value ->> 'who' WHEN 'upkeep' THEN '{"who": "compaction"}' ELSE '{}' END::jsonb
        || CASE value ->> 'why'
            WHEN 'crowded_out' THEN '{"why": "evicted"}'
            WHEN 'folded' THEN '{"why": "summarised"}'
            ELSE '{}'
        END::jsonb
    WHERE prefix ~ '^users[.][^.]+[.]retired$'
      AND (value ->> 'who' = 'upkeep' OR value ->> 'why' IN ('crowded_out', 'folded'));
    UPDATE store_changes
    SET data = data || CASE data ->> 'why'
        WHEN 'crowded_out' THEN '{"why": "evicted"}'
        ELSE '{"why": "summarised"}'
    END::jsonb
    WHERE data ->> 'why' IN ('crowded_out', 'folded');
END $$;

-- name: convert_numbered_migrations
-- Convert the numbers by which earlier versions recorded the store's steps to names.
DO $$ BEGIN
    IF to_regclass('exact_migrations') IS NOT NULL THEN
        INSERT INTO keepsake_migrations (name)
        SELECT (ARRAY[
            'store_0001_search_columns', 'store_0002_inline_storage', 'store_0003_words_function',
            'store_0004_covering_index', 'store_0005_wordless_index'
        ])[v + 1]
        FROM exact_migrations
        ON CONFLICT DO NOTHING;
        DROP TABLE exact_migrations;
    END IF;
END $$;

-- name: function_digest
-- Read the digest of a function's source, which is stored as its comment.
SELECT obj_description(oid, 'pg_proc') AS digest FROM pg_proc
WHERE proname = %(name)s AND pronamespace = current_schema()::regnamespace;

-- name: versions
-- Read the versions of Postgres and of pgvector, installed and available.
SELECT
    current_setting('server_version_num')::int / 10000 AS postgres,
    (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS pgvector,
    (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS installable;

-- name: embedding_type
-- Read the type and dimensions of the vectors.
SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute
WHERE attrelid = 'store_vectors'::regclass AND attname = 'embedding';

-- name: invalid_indexes
-- List the indexes that a failed CREATE INDEX CONCURRENTLY left: they cost writes and serve no search.
-- Indexes of a running or interrupted REINDEX are excluded.
SELECT indexrelid::regclass::text AS name
FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
WHERE NOT indisvalid
  AND (
      indrelid IN (to_regclass('store'), to_regclass('store_vectors'))
      OR indrelid IN (
          SELECT inhrelid FROM pg_inherits WHERE inhparent IN (to_regclass('store'), to_regclass('store_vectors'))
      )
  )
  AND relname !~ '^store_vectors_together(_p\d+)?_cc(new|old)\d*$';

-- name: words_version
-- Read the language of the words and the version of their functions, which are stored as the comment of the column.
SELECT col_description('store_vectors'::regclass, attnum) AS version FROM pg_attribute
WHERE attrelid = 'store_vectors'::regclass AND attname = 'words';

-- name: known_language
-- Select the language if this Postgres has a text search configuration for it, and otherwise `simple`.
SELECT coalesce((SELECT cfgname FROM pg_ts_config WHERE cfgname = %(language)s LIMIT 1), 'simple') AS language;

-- name: rows_to_fill
-- List the next rows that have no words, or the next of all rows.
-- A subquery, not a join: for a join, Postgres would read from the start of the table, or all of it, for each page.
SELECT v.prefix, v.key, v.field_name, v.updated_at,
    (SELECT value FROM store s WHERE (s.prefix, s.key) = (v.prefix, v.key)) AS value
FROM store_vectors v
WHERE (v.words IS NULL OR %(all)s) AND (v.prefix, v.key, v.field_name) > (%(prefix)s, %(key)s, %(field)s)
ORDER BY v.prefix, v.key, v.field_name
LIMIT %(limit)s;

-- name: set_words
-- Write the words of rows and their places in conversations, unless a row has changed since it was read.
UPDATE store_vectors v
SET words = store_words(%(language)s::regconfig, given.body, %(bytes)s),
    sequence = given.sequence,
    moment = given.moment
FROM unnest(%(prefixes)s::text[], %(keys)s::text[], %(fields)s::text[], %(bodies)s::text[], %(sequences)s::text[],
    %(moments)s::text[], %(updated)s::timestamptz[]) AS given (prefix, key, field_name, body, sequence, moment, updated_at)
WHERE (v.prefix, v.key, v.field_name) = (given.prefix, given.key, given.field_name)
  AND v.updated_at IS NOT DISTINCT FROM given.updated_at;
