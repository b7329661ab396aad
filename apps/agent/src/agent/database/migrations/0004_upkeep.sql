-- When compaction next summarises the user's old episodes.
ALTER TABLE users ADD COLUMN upkeep_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX users_upkeep ON users (upkeep_at) WHERE memory_enabled;
