-- finish_reason: why the model ended its answer; `stop` if the answer is complete.
ALTER TABLE messages ADD COLUMN finish_reason text NOT NULL DEFAULT 'stop'
    CHECK (finish_reason IN ('stop', 'length', 'content_filter'));
