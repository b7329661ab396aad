-- name: mine
-- A namespace's rows and those of the namespaces under it, found by key: what other users have costs nothing, and hides
-- nothing.
SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
FROM store_vectors v
WHERE v.prefix = wanted.root
UNION ALL
SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
FROM store_vectors v
WHERE v.prefix ~>=~ (wanted.root || '.') AND v.prefix ~<~ (wanted.root || '/')

-- name: filtered
-- The same, where the values are as asked.
SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
FROM store JOIN store_vectors v USING (prefix, key)
WHERE store.prefix = wanted.root {conditions}
UNION ALL
SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
FROM store JOIN store_vectors v USING (prefix, key)
WHERE store.prefix ~>=~ (wanted.root || '.') AND store.prefix ~<~ (wanted.root || '/') {conditions}

-- name: everything
-- Every row there is.
SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
FROM store JOIN store_vectors v USING (prefix, key)
WHERE true {conditions}

-- name: latest
-- The items of each namespace that were written last.
WITH wanted AS (
    SELECT * FROM unnest(%(prefixes)s::text[], %(limits)s::int[], %(offsets)s::int[]) WITH ORDINALITY
        AS w (root, most, skipped, n)
)
SELECT wanted.n, best.*, NULL::float8 AS score, 0::float8 AS bonus, true AS live
FROM wanted
CROSS JOIN LATERAL (
    SELECT prefix, key, value, created_at, updated_at, ttl_minutes
    FROM ({items}) AS store
    ORDER BY updated_at DESC, prefix, key
    LIMIT wanted.most OFFSET wanted.skipped
) AS best
ORDER BY wanted.n, best.updated_at DESC, best.prefix, best.key;

-- name: items
-- What of a namespace, and of those under it, lives and is as asked.
SELECT * FROM store
WHERE prefix = wanted.root AND (expires_at IS NULL OR expires_at > now()) {conditions}
UNION ALL
SELECT * FROM store
WHERE prefix ~>=~ (wanted.root || '.') AND prefix ~<~ (wanted.root || '/')
  AND (expires_at IS NULL OR expires_at > now()) {conditions}

-- name: all_items
-- What of everybody's lives and is as asked.
SELECT * FROM store WHERE (expires_at IS NULL OR expires_at > now()) {conditions}

-- name: nearest
-- The nearest items of each namespace: all are compared in half precision, and the first of them exactly.
WITH wanted AS (
    SELECT * FROM unnest(%(prefixes)s::text[], %(mosts)s::int[]) WITH ORDINALITY AS w (root, most, n)
)
SELECT wanted.n, item.prefix, item.key, item.value, item.created_at, item.updated_at, item.ttl_minutes,
    {similarity} AS score, 0::float8 AS bonus, item.expires_at IS NULL OR item.expires_at > now() AS live
FROM wanted
CROSS JOIN LATERAL (
    SELECT mine.prefix, mine.key, mine.field_name FROM ({mine}) AS mine ORDER BY {distance} LIMIT wanted.most
) AS best
JOIN store_vectors v USING (prefix, key, field_name)
JOIN store item USING (prefix, key);

-- name: fused
-- The same, with what the user's memories have in common taken out of the query, and with its words. A row tells by a
-- bit for each whether it has it. What the rows around it in its conversation have counts too, the less the further they
-- are: an answer is often not understood without its question. A word weighs the more the fewer of the user's rows have
-- it, and one that none has weighs most, so that a query in other words than its memory's is left to the vectors.
WITH wanted AS (
    SELECT * FROM unnest(%(prefixes)s::text[], %(mosts)s::int[]) WITH ORDINALITY AS w (root, most, n)
), words AS (
    SELECT n - 1 AS bit, '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''' AS word
    FROM (
        SELECT lexeme, row_number() OVER (ORDER BY length(lexeme) DESC, lexeme) AS n
        FROM unnest(to_tsvector(%(language)s::regconfig, %(query)s))
    ) AS longest_first
    WHERE n <= {slots}
), centre AS (
    SELECT avg(sample.near)::vector AS mean, count(*) AS rows
    FROM wanted CROSS JOIN LATERAL (SELECT near FROM ({mine}) AS mine LIMIT %(sample)s) AS sample
), query AS MATERIALIZED (
    SELECT {slot_columns}, string_agg(word, ' | ')::tsquery AS any_word, (
        SELECT CASE WHEN rows = 0 THEN {whole} ELSE {whole} - mean * array_fill(
            %(centring)s * rows / (rows + 10), ARRAY[{dims}])::vector END
        FROM centre
    )::halfvec({dims}) AS aim
    FROM words
), rows AS MATERIALIZED (
    SELECT wanted.n, mine.prefix, mine.key, mine.field_name, mine.sequence, mine.moment,
        mine.near <#> query.aim AS distance,
        CASE WHEN mine.words @@ query.any_word THEN {slot_bits} ELSE 0 END AS has
    FROM wanted CROSS JOIN query CROSS JOIN LATERAL ({mine}) AS mine
), counts AS MATERIALIZED (
    SELECT has, count(*) AS rows FROM rows GROUP BY has
), weights AS MATERIALIZED (
    SELECT bit, power(ln(1 + (total - having_it + 0.5) / (having_it + 0.5)), 2)::float8 AS weight
    FROM words
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(rows), 0) AS total,
            coalesce(sum(rows) FILTER (WHERE has & (1 << bit::int) <> 0), 0) AS having_it
        FROM counts
    ) AS counted
), worth AS MATERIALIZED (
    -- What each combination of words is worth, as a share of the whole query: of the first six bits, and of the others.
    SELECT array_agg(low ORDER BY mask) AS low, array_agg(high ORDER BY mask) AS high
    FROM (
        SELECT mask,
            coalesce(sum(weight) FILTER (WHERE bit < 6 AND mask & (1 << bit::int) <> 0), 0) / sum(weight) AS low,
            coalesce(sum(weight) FILTER (WHERE bit >= 6 AND mask & (1 << (bit::int - 6)) <> 0), 0) / sum(weight) AS high
        FROM generate_series(0, 63) AS mask CROSS JOIN weights
        GROUP BY mask
    ) AS combination
)
SELECT wanted.n, item.prefix, item.key, item.value, item.created_at, item.updated_at, item.ttl_minutes,
    {similarity} AS score, best.bonus - (v.near <#> query.aim) + (v.near <#> {half}) AS bonus,
    item.expires_at IS NULL OR item.expires_at > now() AS live
FROM wanted
CROSS JOIN query
CROSS JOIN LATERAL (
    SELECT around.prefix, around.key, around.field_name, bonus
    FROM (
        SELECT rows.*, {unions}
        FROM rows
        WHERE rows.n = wanted.n
        WINDOW {windows}
    ) AS around
    CROSS JOIN worth
    CROSS JOIN LATERAL (SELECT coalesce(%(weight)s * ({covered}), 0) AS bonus) AS words
    ORDER BY around.distance - bonus
    LIMIT wanted.most
) AS best
JOIN store_vectors v USING (prefix, key, field_name)
JOIN store item USING (prefix, key);

-- name: with_words
-- The items of each namespace that share a word with the query, the most telling first; if $unindexed, only those
-- that have no vector to be found by.
WITH wanted AS (
    SELECT * FROM unnest(%(prefixes)s::text[]) WITH ORDINALITY AS w (root, n)
),
query AS (
    -- the words OR-ed: AND-ed, a question hardly ever finds its answer
    SELECT replace(plainto_tsquery(%(language)s::regconfig, %(query)s)::text, '&', '|')::tsquery AS words
)
SELECT wanted.n, best.*
FROM wanted
CROSS JOIN query
CROSS JOIN LATERAL (
    SELECT item.prefix, item.key, item.value, item.created_at, item.updated_at, item.ttl_minutes,
        NULL::float8 AS score, ts_rank(words, query.words)::float8 AS bonus, true AS live
    FROM store item
    CROSS JOIN LATERAL to_tsvector(%(language)s::regconfig, item.value ->> %(field)s) AS words
    WHERE item.prefix = wanted.root
      AND words @@ query.words
      AND (
          NOT %(unindexed)s
          OR NOT EXISTS (SELECT FROM store_vectors v WHERE v.prefix = item.prefix AND v.key = item.key)
      )
      AND (item.expires_at IS NULL OR item.expires_at > now())
    ORDER BY bonus DESC, item.key
    LIMIT %(limit)s
) AS best
ORDER BY wanted.n, best.bonus DESC, best.key;
