-- name: position
-- The position in the primary's write-ahead log that every committed write precedes: commits are flushed, unless
-- synchronous_commit is off.
SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
    ELSE pg_current_wal_flush_lsn() END::text AS position;

-- name: has_replayed
-- Whether this server is a standby that has replayed the log up to a position; it never goes back.
SELECT pg_is_in_recovery() AND coalesce(pg_last_wal_replay_lsn() >= %(position)s::pg_lsn, false) AS replayed;

-- name: is_standby
-- Whether this server is a standby.
SELECT pg_is_in_recovery() AS standby;
