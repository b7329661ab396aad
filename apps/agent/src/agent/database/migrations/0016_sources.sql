-- sources: the web pages that a search found for the answer, [{title, url, text}]; null if there was no search.
ALTER TABLE messages ADD COLUMN sources jsonb;
