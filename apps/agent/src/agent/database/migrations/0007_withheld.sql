-- withheld: formation never reads the message, not even as context, because it was sent without memory, or because what
-- it says was forgotten.
ALTER TABLE messages ADD COLUMN withheld boolean NOT NULL DEFAULT false;
