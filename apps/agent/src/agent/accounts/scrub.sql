-- name: current_transaction
-- Id of a transaction that began after the deletion.
SELECT pg_current_xact_id()::xid::text AS id;

-- name: no_older_snapshot
-- One row if no older snapshot exists: a table rewrite would copy the rows that such a snapshot can see.
SELECT 1 WHERE NOT EXISTS (
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND backend_xmin IS NOT NULL AND age(backend_xmin) > age(%(id)s::xid)
);

-- name: tables
-- Those of the tables that exist in this database, or else their partitions, and tables of a conversion of vectors.
SELECT relname AS name FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
  AND (
      relname = ANY(%(tables)s)
      OR starts_with(relname, 'store_vectors_')
      OR pg_partition_root(oid) IN (SELECT to_regclass(name) FROM unnest(%(tables)s::text[]) AS name)
  )
ORDER BY relname;

-- name: delete_statistics
-- Delete the samples of column values; ANALYZE does not replace those of an empty table.
DELETE FROM pg_statistic USING pg_class
WHERE pg_class.oid = starelid AND relnamespace = current_schema()::regnamespace;

-- name: rewrite_statistics
-- Remove the deleted samples from the file.
VACUUM (FULL) pg_statistic;

-- name: analyze
-- Collect new statistics.
ANALYZE;

-- name: disable_recycling
-- Delete old segments of the write-ahead log instead of reusing their files.
ALTER SYSTEM SET wal_recycle = off;

-- name: reset_recycling
-- Restore the default.
ALTER SYSTEM RESET wal_recycle;

-- name: reload_configuration
-- Apply changed server settings.
SELECT pg_reload_conf();

-- name: recycling_is_disabled
-- One row once the reloaded setting has taken effect.
SELECT 1 WHERE NOT current_setting('wal_recycle')::bool;

-- name: log_segments
-- The segments of the write-ahead log.
SELECT name FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$';

-- name: switch_segment
-- Start a new segment; the message ensures that the current one is not empty, as an empty one is not switched.
SELECT pg_logical_emit_message(false, 'keepsake', ''), pg_switch_wal();

-- name: checkpoint
-- Write all changes, so that old segments are no longer needed.
CHECKPOINT;
