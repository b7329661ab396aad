-- name: add
-- Create an account, unless a concurrent request did.
INSERT INTO users (id, issuer, subject) VALUES (%(user)s, %(issuer)s, %(subject)s) ON CONFLICT DO NOTHING;

-- name: find
-- Read an account.
SELECT memory_enabled, time_zone FROM users WHERE id = %(user)s;

-- name: update
-- Change those settings of an account that the JSON object `changes` contains.
UPDATE users
SET memory_enabled = coalesce((%(changes)s::jsonb ->> 'memory_enabled')::boolean, memory_enabled),
    time_zone = CASE WHEN %(changes)s::jsonb ? 'time_zone' THEN %(changes)s::jsonb ->> 'time_zone' ELSE time_zone END
WHERE id = %(user)s
RETURNING memory_enabled, time_zone;

-- name: add_installation_value
-- Store a value of the installation, unless there is one under this name.
INSERT INTO installation VALUES (%(name)s, %(value)s) ON CONFLICT DO NOTHING;

-- name: installation_value
-- Read a value of the installation.
SELECT value FROM installation WHERE name = %(name)s;
