-- purge_at: when to delete permanently what the user has had forgotten in a chat; null if there is nothing.
ALTER TABLE users ADD COLUMN purge_at timestamptz;
CREATE INDEX users_purge ON users (purge_at) WHERE purge_at IS NOT NULL;
