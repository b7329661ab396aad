-- What a user has had forgotten is also purged while their memory is paused.
DROP INDEX users_upkeep;
CREATE INDEX users_upkeep ON users (upkeep_at);
