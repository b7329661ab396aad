-- name: add
-- Create an account, unless a concurrent request did.
INSERT INTO users (id, issuer, subject) VALUES (%(user)s, %(issuer)s, %(subject)s) ON CONFLICT DO NOTHING;

-- name: find
-- Read an account.
SELECT memory_enabled FROM users WHERE id = %(user)s;

-- name: set_memory_enabled
-- Turn a user's memory on or off.
UPDATE users SET memory_enabled = %(enabled)s WHERE id = %(user)s RETURNING memory_enabled;

-- name: add_installation_value
-- Store a value of the installation, unless there is one under this name.
INSERT INTO installation VALUES (%(name)s, %(value)s) ON CONFLICT DO NOTHING;

-- name: installation_value
-- Read a value of the installation.
SELECT value FROM installation WHERE name = %(name)s;
