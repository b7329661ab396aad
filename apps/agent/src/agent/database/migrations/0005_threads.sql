-- title_is_draft: the title is the first words of a message, and may be replaced by the model's.
-- expires_at: when a temporary thread is deleted; null if it has been deleted, and for permanent threads.
ALTER TABLE threads
    ADD COLUMN title_is_draft boolean NOT NULL DEFAULT false,
    ADD COLUMN expires_at     timestamptz CHECK (temporary OR expires_at IS NULL);
CREATE INDEX threads_temporary ON threads (expires_at, updated_at) WHERE temporary;
