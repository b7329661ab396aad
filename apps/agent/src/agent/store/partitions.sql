-- name: counts
-- Count the partitions of those of the tables that exist, in the given order; 0: not partitioned.
SELECT relname AS name, (SELECT count(*) FROM pg_inherits WHERE inhparent = pg_class.oid) AS partitions
FROM unnest(%(tables)s::text[]) WITH ORDINALITY AS wanted (name, n)
JOIN pg_class ON pg_class.oid = to_regclass(wanted.name)
ORDER BY wanted.n;

-- name: definition
-- Read what CREATE TABLE LIKE does not copy: the keys, indexes and triggers of a table, as statements. Also its
-- partitions, and the columns to copy: all except generated ones. The indexes of partitions follow from those of the
-- table, so ONLY is removed: with it, a partitioned index would remain invalid.
SELECT
    ARRAY (
        SELECT attname::text FROM pg_attribute
        WHERE attrelid = whole.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        ORDER BY attnum
    ) AS columns,
    ARRAY (
        SELECT relname::text FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = whole.oid
    ) AS partitions,
    ARRAY (
        SELECT statement
        FROM (
            SELECT CASE contype WHEN 'f' THEN 3 ELSE 1 END AS step, conname AS name,
                format('ALTER TABLE %%I ADD CONSTRAINT %%I %%s', whole.relname, conname, pg_get_constraintdef(oid)) AS statement
            FROM pg_constraint
            WHERE conrelid = whole.oid AND conparentid = 0 AND contype IN ('p', 'u', 'f')
            UNION ALL
            SELECT 2, pg_class.relname, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
            FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
            WHERE indrelid = whole.oid AND (indisvalid OR relkind = 'I')
              AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
            UNION ALL
            SELECT 4, tgname, pg_get_triggerdef(oid) FROM pg_trigger
            WHERE tgrelid = whole.oid AND tgparentid = 0 AND NOT tgisinternal
        ) AS part
        ORDER BY step, name
    ) AS statements
FROM pg_class AS whole
WHERE whole.oid = to_regclass(%(table)s);

-- name: misnamed_indexes
-- List the indexes of a table's partitions that are not named after the table's index: name_p0, name_p1 and so on.
SELECT part.relname AS name, whole.relname || substring(partition.relname FROM '_p\d+$') AS new_name
FROM pg_index
JOIN pg_class AS whole ON whole.oid = indexrelid
JOIN pg_inherits ON inhparent = whole.oid
JOIN pg_class AS part ON part.oid = inhrelid
JOIN pg_index AS part_index ON part_index.indexrelid = part.oid
JOIN pg_class AS partition ON partition.oid = part_index.indrelid
WHERE pg_index.indrelid = to_regclass(%(table)s)
  AND part.relname <> whole.relname || substring(partition.relname FROM '_p\d+$');

-- name: limits
-- Limit how long the transaction waits for each lock, but not how long it copies.
SELECT set_config('lock_timeout', %(lock_timeout)s, true), set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true);

-- name: conversion_started
-- Check whether `keepsake reembed` has begun to convert the vectors.
SELECT to_regclass('store_vectors_next') IS NOT NULL AS started;
