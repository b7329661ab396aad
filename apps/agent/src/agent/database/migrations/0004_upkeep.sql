-- When a user's history is to be looked at next: what is old by then folds up.
ALTER TABLE users ADD COLUMN upkeep_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX users_upkeep ON users (upkeep_at) WHERE memory_enabled;
