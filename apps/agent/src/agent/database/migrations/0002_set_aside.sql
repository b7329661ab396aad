-- set_aside: number of batches that failed after their last retry. due_at is null if nothing else is pending.
ALTER TABLE formation
    ALTER COLUMN due_at DROP NOT NULL,
    ADD COLUMN set_aside integer NOT NULL DEFAULT 0;
