-- name: create
-- Create the log of changes. keys: the items whose text is in data; seq grows with the time and reveals nothing about
-- the number of changes of other owners.
CREATE TABLE IF NOT EXISTS store_changes (
    prefix text NOT NULL,
    seq    bigint NOT NULL,
    keys   text[] NOT NULL,
    data   jsonb NOT NULL,
    at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (prefix, seq)
);

-- name: read_items
-- Read the values of items before they change.
SELECT store.prefix, store.key, store.value
FROM store JOIN unnest(%(prefixes)s::text[], %(keys)s::text[]) AS changed (prefix, key)
    ON store.prefix = changed.prefix AND store.key = changed.key;

-- name: purge
-- Delete the entries with text of these items.
DELETE FROM store_changes WHERE prefix = %(owner)s AND keys && %(keys)s::text[];

-- name: append
-- Append entries. The transaction holds the owner's lock, so an owner's entries are committed in the order of seq.
INSERT INTO store_changes (prefix, seq, keys, data)
SELECT %(owner)s, latest.seq + entry.number, ARRAY(SELECT jsonb_array_elements_text(entry.value::jsonb -> 'keys')),
    entry.value::jsonb -> 'data'
FROM unnest(%(entries)s::text[]) WITH ORDINALITY AS entry (value, number), (
    SELECT greatest((extract(epoch FROM clock_timestamp()) * 1000000)::bigint, coalesce(max(seq), 0)) AS seq
    FROM store_changes WHERE prefix = %(owner)s
) latest;

-- name: trim
-- Delete an owner's entries except the latest, and those that are older than items live.
DELETE FROM store_changes WHERE prefix = %(owner)s AND (
    seq <= (
        SELECT seq FROM store_changes WHERE prefix = %(owner)s ORDER BY seq DESC OFFSET %(kept)s LIMIT 1
    ) OR at < now() - make_interval(secs => 60 * %(minutes)s::float8)
);

-- name: notify
-- Wake the processes with streams of the owner, after the commit.
SELECT pg_notify('keepsake_changes', %(owner)s);

-- name: listen
-- Receive these notifications.
LISTEN keepsake_changes;

-- name: latest
-- The position of the latest entry.
SELECT coalesce(max(seq), 0) AS seq FROM store_changes WHERE prefix = %(owner)s;

-- name: list_after
-- List entries after a position, the oldest first.
SELECT seq, data, at FROM store_changes
WHERE prefix = %(owner)s AND seq > %(seq)s
ORDER BY seq
LIMIT %(limit)s;

-- name: list_before
-- List entries before a position, the latest first.
SELECT seq, data, at FROM store_changes
WHERE prefix = %(owner)s AND (%(seq)s::bigint IS NULL OR seq < %(seq)s)
ORDER BY seq DESC
LIMIT %(limit)s;

-- name: delete_expired
-- Delete the entries of all owners that are older than items live.
DELETE FROM store_changes WHERE at < now() - make_interval(secs => 60 * %(minutes)s::float8);

-- name: erase
-- Delete all entries of an owner, and count them.
WITH deleted AS (DELETE FROM store_changes WHERE prefix = %(owner)s RETURNING prefix)
SELECT prefix, count(*) AS rows FROM deleted GROUP BY prefix;
