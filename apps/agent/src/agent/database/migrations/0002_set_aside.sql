-- How many batches of a user's could not be distilled and are set aside; whoever has nothing else to do is not due.
ALTER TABLE formation
    ALTER COLUMN due_at DROP NOT NULL,
    ADD COLUMN set_aside integer NOT NULL DEFAULT 0;
