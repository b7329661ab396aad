-- family_id: the first thread of a conversation, if this thread branched off; null for the first one itself.
-- parent_id, branched_at: the thread it branched off, and the number of messages that it shares with it.
ALTER TABLE threads
    ADD COLUMN pinned      boolean NOT NULL DEFAULT false,
    ADD COLUMN archived    boolean NOT NULL DEFAULT false,
    ADD COLUMN family_id   uuid,
    ADD COLUMN parent_id   uuid,
    ADD COLUMN branched_at integer;
CREATE INDEX threads_of_family ON threads (user_id, coalesce(family_id, id), updated_at);

-- copied_from: the original of a message that a branch shares. rating: what the user thinks of an answer.
ALTER TABLE messages
    ADD COLUMN copied_from   uuid,
    ADD COLUMN rating        text CHECK (rating IN ('up', 'down')),
    ADD COLUMN rating_reason text;
CREATE INDEX messages_copied ON messages (user_id, copied_from) WHERE copied_from IS NOT NULL;
