-- name: server
SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int / 10000 AS major;

-- name: exists
SELECT to_regclass(%(table)s) IS NOT NULL AS there;

-- name: own_steps
SELECT name FROM keepsake_migrations;

-- name: last_step
-- Of a table of numbers, as LangGraph keeps its steps.
SELECT coalesce(max(v), -1) AS number FROM {table};

-- name: invalid_indexes
-- What CREATE INDEX CONCURRENTLY or REINDEX CONCURRENTLY left behind; not what is being made now.
SELECT indexrelid::regclass::text AS name, amname AS kind
FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid
JOIN pg_am ON pg_am.oid = relam
WHERE NOT indisvalid AND relkind = 'i'
  AND indexrelid NOT IN (SELECT index_relid FROM pg_stat_progress_create_index WHERE index_relid IS NOT NULL)
ORDER BY name;

-- name: sizes
SELECT relname AS name, pg_size_pretty(pg_total_relation_size(oid)) AS size,
    pg_size_pretty(pg_database_size(current_database())) AS whole
FROM pg_class
WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
ORDER BY pg_total_relation_size(oid) DESC
LIMIT %(most)s;

-- name: walls
-- Whether each table has its wall, the one that Keepsake makes, and no gate in it.
SELECT given.name, relrowsecurity AS raised,
    EXISTS (
        SELECT FROM pg_policy
        WHERE polrelid = pg_class.oid AND polname = 'own_rows' AND polcmd = '*'
          AND polroles = ARRAY[to_regrole(%(role)s)::oid]
          AND obj_description(pg_policy.oid, 'pg_policy') = given.condition
    ) AS own,
    ARRAY (
        SELECT polname::text FROM pg_policy WHERE polrelid = pg_class.oid AND polname <> 'own_rows' AND polpermissive
    ) AS others
FROM unnest(%(tables)s::text[], %(conditions)s::text[]) AS given (name, condition)
JOIN pg_class ON pg_class.oid = to_regclass(given.name)
ORDER BY given.name;

-- name: unwalled
-- Tables that a user's transaction may touch although nothing in them is anybody's.
SELECT relname AS name FROM pg_class
WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = current_schema()::regnamespace AND NOT relrowsecurity
  AND to_regrole(%(role)s) IS NOT NULL
  AND has_table_privilege(%(role)s, oid, 'SELECT, INSERT, UPDATE, DELETE')
  AND NOT relname = ANY (%(tables)s)
ORDER BY name;

-- name: role
SELECT rolsuper OR rolbypassrls AS is_above,
    pg_has_role(current_user, oid, 'MEMBER') AS is_ours,
    EXISTS (SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = pg_roles.oid AND deptype = 'o')
        AS owns,
    ARRAY (SELECT roleid::regrole::text FROM pg_auth_members WHERE member = pg_roles.oid) AS groups
FROM pg_roles
WHERE rolname = %(role)s;

-- name: installation
-- What the vectors were made with, to what they are being converted, and whether somebody is at it now.
SELECT
    (SELECT value FROM installation WHERE name = 'embedder') AS embedder,
    (SELECT value FROM installation WHERE name = 'reembedding') AS target,
    EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND (classid, objid, objsubid) = (0, %(lock)s, 1)) AS running;

-- name: searched_by_all
-- Indexes of everybody's vectors, which no search of ours uses.
SELECT indexrelid::regclass::text AS name, amname AS kind, pg_size_pretty(pg_relation_size(indexrelid)) AS size
FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid
JOIN pg_am ON pg_am.oid = relam
WHERE indrelid = to_regclass('store_vectors') AND amname IN ('hnsw', 'ivfflat') AND indisvalid
ORDER BY name;

-- name: without_vector
-- Of what is to be found by its meaning, what cannot be; whose vector may still be on its way does not count.
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
) AS unfound
WHERE place = ANY (%(places)s)
GROUP BY place;

-- name: without_words
SELECT count(*) AS number FROM store_vectors WHERE words IS NULL;

-- name: buffers
-- What a search reads, and the memory for it.
SELECT read.name::text, pg_relation_size(read.name) AS bytes, pg_size_pretty(pg_relation_size(read.name)) AS size,
    pg_size_bytes(current_setting('shared_buffers')) AS buffer_bytes, current_setting('shared_buffers') AS buffers
FROM (SELECT coalesce(to_regclass('store_vectors_together'), to_regclass('store_vectors')) AS name) AS read;

-- name: formation
SELECT count(due_at) AS waiting,
    count(*) FILTER (
        WHERE due_at < now() - make_interval(mins => %(overdue_minutes)s)
          AND (lease_until IS NULL OR lease_until < now())
    ) AS overdue,
    count(due_at) FILTER (WHERE last_error IS NOT NULL) AS failed,
    coalesce(sum(set_aside), 0) AS set_aside,
    count(*) FILTER (WHERE set_aside > 0) AS set_aside_users,
    mode() WITHIN GROUP (ORDER BY last_error) AS last_error
FROM formation;
