-- name: server_version
-- The version of Postgres, as text and as a major number.
SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int / 10000 AS major;

-- name: table_exists
-- Whether a table exists.
SELECT to_regclass(%(table)s) IS NOT NULL AS exists;

-- name: applied_migrations
-- Names of the applied migrations of Keepsake's own tables.
SELECT name FROM keepsake_migrations;

-- name: invalid_indexes
-- Indexes left invalid by CREATE INDEX CONCURRENTLY or REINDEX CONCURRENTLY, without those in progress, and partitioned
-- indexes that lack the index of a partition, with the statement that creates them.
SELECT indexrelid::regclass::text AS name, amname AS kind, relkind = 'I' AS is_partitioned,
    replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid
JOIN pg_am ON pg_am.oid = relam
WHERE NOT indisvalid
  AND indexrelid NOT IN (SELECT index_relid FROM pg_stat_progress_create_index WHERE index_relid IS NOT NULL)
ORDER BY name;

-- name: table_sizes
-- The size of the database and of its largest tables, each with its partitions.
SELECT whole.name::text, pg_size_pretty(sum(pg_total_relation_size(pg_class.oid))) AS size,
    pg_size_pretty(pg_database_size(current_database())) AS database_size
FROM pg_class CROSS JOIN LATERAL (SELECT coalesce(pg_partition_root(pg_class.oid), pg_class.oid)::regclass AS name) AS whole
WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
GROUP BY whole.name
ORDER BY sum(pg_total_relation_size(pg_class.oid)) DESC
LIMIT %(limit)s;

-- name: row_security_policies
-- Per table: whether row-level security is enabled, the role's missing privileges, whether Keepsake's policy exists, and
-- other permissive policies.
SELECT expected.name, relrowsecurity AS enabled,
    ARRAY (
        SELECT privilege FROM unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege
        WHERE NOT has_table_privilege(to_regrole(%(role)s), pg_class.oid, privilege)
    ) AS missing_privileges,
    EXISTS (
        SELECT FROM pg_policy
        WHERE polrelid = pg_class.oid AND polname = 'own_rows' AND polcmd = '*'
          AND polroles = ARRAY[to_regrole(%(role)s)::oid]
          AND obj_description(pg_policy.oid, 'pg_policy') = expected.condition
    ) AS has_policy,
    ARRAY (
        SELECT polname::text FROM pg_policy WHERE polrelid = pg_class.oid AND polname <> 'own_rows' AND polpermissive
    ) AS other_policies
FROM unnest(%(tables)s::text[], %(conditions)s::text[]) AS expected (name, condition)
JOIN pg_class ON pg_class.oid = to_regclass(expected.name)
ORDER BY expected.name;

-- name: unprotected_tables
-- Tables without row-level security that the role of user transactions may access.
SELECT relname AS name FROM pg_class
WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = current_schema()::regnamespace AND NOT relrowsecurity
  AND to_regrole(%(role)s) IS NOT NULL
  AND has_table_privilege(%(role)s, oid, 'SELECT, INSERT, UPDATE, DELETE')
  AND NOT relname = ANY (%(tables)s)
ORDER BY name;

-- name: role_privileges
-- Privileges of the role of user transactions that would bypass row-level security.
SELECT rolsuper OR rolbypassrls AS bypasses_row_security,
    pg_has_role(current_user, oid, 'MEMBER') AS is_granted,
    EXISTS (SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = pg_roles.oid AND deptype = 'o')
        AS owns_objects,
    ARRAY (SELECT roleid::regrole::text FROM pg_auth_members WHERE member = pg_roles.oid) AS groups
FROM pg_roles
WHERE rolname = %(role)s;

-- name: embedder_state
-- The model of the stored vectors, the target of an unfinished conversion, and whether the conversion is running.
SELECT
    (SELECT value FROM installation WHERE name = 'embedder') AS embedder,
    (SELECT value FROM installation WHERE name = 'reembedding') AS target,
    EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND (classid, objid, objsubid) = (0, %(lock)s, 1)) AS running;

-- name: unused_vector_indexes
-- Approximate indexes over the vectors of all users; searches are exact and do not use them. The index of a partition is
-- part of that of its table, unless it was created for the partition alone.
SELECT indexrelid::regclass::text AS name, amname AS kind, relkind = 'I' AS is_partitioned,
    pg_size_pretty(pg_relation_size(indexrelid) + (
        SELECT coalesce(sum(pg_relation_size(inhrelid)), 0) FROM pg_inherits WHERE inhparent = indexrelid
    )) AS size
FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid
JOIN pg_am ON pg_am.oid = relam
WHERE amname IN ('hnsw', 'ivfflat') AND indisvalid AND NOT relispartition
  AND (
      indrelid = to_regclass('store_vectors')
      OR indrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass('store_vectors'))
  )
ORDER BY name;

-- name: missing_vectors
-- Recallable documents without a vector per namespace, except those written in the last minute.
SELECT place, count(*) AS number
FROM (
    SELECT regexp_replace(prefix, '^users\.[^.]+\.', '') AS place
    FROM store
    WHERE value ->> 'text' ~ '\S'
      AND value -> 'recallable' IS DISTINCT FROM 'false'
      AND updated_at < now() - interval '1 minute'
      AND NOT EXISTS (
          SELECT FROM store_vectors v WHERE (v.prefix, v.key) = (store.prefix, store.key)
      )
) AS without_vector
WHERE place = ANY (%(places)s)
GROUP BY place;

-- name: missing_words
-- Vectors without the words for full-text search.
SELECT count(*) AS number FROM store_vectors WHERE words IS NULL;

-- name: buffer_sizes
-- The size of the relation that searches read, with its parts in partitions, and of shared_buffers.
SELECT read.name::text, size.bytes, pg_size_pretty(size.bytes) AS size,
    pg_size_bytes(current_setting('shared_buffers')) AS buffer_bytes, current_setting('shared_buffers') AS buffers
FROM (SELECT coalesce(to_regclass('store_vectors_together'), to_regclass('store_vectors')) AS name) AS read
CROSS JOIN LATERAL (
    SELECT (pg_relation_size(read.name) + coalesce(sum(pg_relation_size(inhrelid)), 0))::bigint AS bytes
    FROM pg_inherits WHERE inhparent = read.name
) AS size;

-- name: formation_counts
-- Numbers of users with a pending, overdue, failed or set-aside inbox, and the most frequent error.
SELECT count(due_at) AS pending,
    count(*) FILTER (
        WHERE due_at < now() - make_interval(mins => %(overdue_minutes)s)
          AND (lease_until IS NULL OR lease_until < now())
    ) AS overdue,
    count(due_at) FILTER (WHERE last_error IS NOT NULL) AS failed,
    coalesce(sum(set_aside), 0) AS set_aside,
    count(*) FILTER (WHERE set_aside > 0) AS set_aside_users,
    mode() WITHIN GROUP (ORDER BY last_error) AS last_error
FROM formation;
