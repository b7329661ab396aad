-- name: mark
SELECT pg_current_xact_id()::xid::text AS mark;

-- name: nobody_older
-- Whoever began before and still looks: what they may see is copied along when a table is rewritten.
SELECT 1 WHERE NOT EXISTS (
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND backend_xmin IS NOT NULL AND age(backend_xmin) > age(%(mark)s::xid)
);

-- name: tables
-- Those that are here, with what a conversion of vectors keeps beside them.
SELECT relname AS name FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
  AND (relname = ANY(%(tables)s) OR starts_with(relname, 'store_vectors_'))
ORDER BY relname;

-- name: rewrite
-- Table, indexes and what is stored out of line: only what is there now goes into the new files.
VACUUM (FULL) {table};

-- name: forget_statistics
-- They hold samples of what was in a table's columns, and ANALYZE leaves those of an empty table as they were.
DELETE FROM pg_statistic USING pg_class
WHERE pg_class.oid = starelid AND relnamespace = current_schema()::regnamespace;

-- name: rewrite_statistics
VACUUM (FULL) pg_statistic;

-- name: analyze
ANALYZE;

-- name: keep_no_log
-- A segment of the log that is done with is deleted; otherwise it is kept for later, with all that is in it.
ALTER SYSTEM SET wal_recycle = off;

-- name: keep_log
ALTER SYSTEM RESET wal_recycle;

-- name: reload
SELECT pg_reload_conf();

-- name: keeps_no_log
-- A reload takes a moment; who sees it here has seen it everywhere.
SELECT 1 WHERE NOT current_setting('wal_recycle')::bool;

-- name: segments
SELECT name FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$';

-- name: next_segment
-- Without an entry the log would stay where it is; the rest of the segment is filled with zeros.
SELECT pg_logical_emit_message(false, 'keepsake', ''), pg_switch_wal();

-- name: checkpoint
CHECKPOINT;
