-- name: try_lock
-- Take the migration lock until the end of the transaction, unless another process holds it.
SELECT pg_try_advisory_xact_lock(%(lock)s) AS locked;

-- name: create_table
-- Create the table of applied migrations.
CREATE TABLE IF NOT EXISTS keepsake_migrations (name text PRIMARY KEY);

-- name: applied
-- List the applied migrations.
SELECT name FROM keepsake_migrations;

-- name: record
-- Record a migration as applied.
INSERT INTO keepsake_migrations VALUES (%(name)s) ON CONFLICT DO NOTHING;
