-- compaction_due_at: when compaction next summarises the user's old episodes; until now upkeep_at.
ALTER TABLE users RENAME COLUMN upkeep_at TO compaction_due_at;
ALTER INDEX users_upkeep RENAME TO users_compaction;

-- enqueued: the message has been added to the inbox, or must not be; until now noted.
ALTER TABLE messages RENAME COLUMN noted TO enqueued;
ALTER INDEX messages_to_note RENAME TO messages_to_enqueue;

-- Postgres 18 has named constraints for NOT NULL.
DO $$ BEGIN
    IF EXISTS (
        SELECT FROM pg_constraint WHERE conrelid = 'users'::regclass AND conname = 'users_upkeep_at_not_null'
    ) THEN
        ALTER TABLE users RENAME CONSTRAINT users_upkeep_at_not_null TO users_compaction_due_at_not_null;
    END IF;
    IF EXISTS (
        SELECT FROM pg_constraint WHERE conrelid = 'messages'::regclass AND conname = 'messages_noted_not_null'
    ) THEN
        ALTER TABLE messages RENAME CONSTRAINT messages_noted_not_null TO messages_enqueued_not_null;
    END IF;
END $$;
