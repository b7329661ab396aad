-- name: limit_memory
-- Let sorts of the transaction use little memory.
SELECT set_config('work_mem', '64kB', true);

-- name: write_probe
-- Write a megabyte to a temporary file by a sort, which fails if the disk is full, and leaves nothing behind.
SELECT count(DISTINCT repeat('x', 1000) || n) FROM generate_series(1, 1000) AS n;
