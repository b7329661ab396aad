-- name: make
INSERT INTO users (id, issuer, subject) VALUES (%(user)s, %(issuer)s, %(subject)s) ON CONFLICT DO NOTHING;

-- name: find
SELECT memory_enabled FROM users WHERE id = %(user)s;

-- name: set_memory
UPDATE users SET memory_enabled = %(enabled)s WHERE id = %(user)s RETURNING memory_enabled;

-- name: keep
INSERT INTO installation VALUES (%(name)s, %(value)s) ON CONFLICT DO NOTHING;

-- name: kept
SELECT value FROM installation WHERE name = %(name)s;
