-- name: abandoned_indexes
-- List the unfinished indexes of rebuilds whose process was killed.
SELECT relname AS name
FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
WHERE NOT indisvalid AND relname ~ '^store_vectors_together(_p\d+)?_cc(new|old)\d*$'
  AND (
      indrelid = to_regclass('store_vectors')
      OR indrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass('store_vectors'))
  )
  AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index WHERE relid = indrelid);

-- name: bloat
-- Compare the size of the index or, of partitioned tables, of its part in each partition, as of the last ANALYZE, with its
-- estimated size after a rebuild. A partitioned index itself has no size, and its table no statistics.
-- No row is returned without statistics, while an index is created, and while the vectors are converted.
SELECT together.oid::regclass::text AS name, size.block * together.relpages::bigint AS bytes,
    size.block * ceil(vectors.reltuples / greatest(1, floor(0.9 * size.block / row.bytes)))::bigint AS packed_bytes
FROM pg_class AS together
JOIN pg_index ON indexrelid = together.oid
JOIN pg_class AS vectors ON vectors.oid = indrelid
CROSS JOIN (SELECT current_setting('block_size')::bigint AS block) AS size
CROSS JOIN LATERAL (
    -- including the header and the line pointer
    SELECT 16 + sum((1 - null_frac) * avg_width) AS bytes
    FROM pg_attribute
    JOIN pg_stats USING (attname)
    WHERE attrelid = together.oid AND schemaname = vectors.relnamespace::regnamespace::text
      AND tablename = vectors.relname
) AS row
WHERE together.relkind = 'i' AND vectors.reltuples > 0 AND row.bytes > 16
  AND (
      together.oid = to_regclass('store_vectors_together')
      OR together.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass('store_vectors_together'))
  )
  AND to_regclass('store_vectors_next') IS NULL
  AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index WHERE relid = vectors.oid)
ORDER BY together.oid;
