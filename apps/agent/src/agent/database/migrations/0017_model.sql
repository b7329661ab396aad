-- model: the name of the model that wrote the answer; null if that was not recorded.
ALTER TABLE messages ADD COLUMN model text;
