-- metadata: a JSON object that clients of the LangGraph API attach to a thread and search by.
ALTER TABLE threads ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object');
