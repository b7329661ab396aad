-- unlisted: a conversation that its client keeps and sends with each message; in no list and no search, and deleted some
-- time after its last message.
ALTER TABLE threads ADD COLUMN unlisted boolean NOT NULL DEFAULT false;
DROP INDEX threads_of_user;
CREATE INDEX threads_listed ON threads (user_id, updated_at DESC, id DESC) WHERE NOT unlisted;
CREATE INDEX threads_unlisted ON threads (updated_at) WHERE unlisted;

-- stateless: the client sent the messages before the run's own, so it uses no checkpoint and does not hold the thread.
ALTER TABLE runs ADD COLUMN stateless boolean NOT NULL DEFAULT false;
DROP INDEX one_run_a_thread;
CREATE UNIQUE INDEX one_run_a_thread ON runs (user_id, thread_id) WHERE status = 'running' AND NOT stateless;
