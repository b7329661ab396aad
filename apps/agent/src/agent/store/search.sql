-- Functions, made by setup: their plans are kept, and making a plan would take longer than a search. What stands in
-- braces is filled in from `search.py`. A user's rows are found by key, so what other users have costs nothing, and
-- hides nothing.

-- name: matches
-- Whether a value is as a filter asks: numbers compare as numbers, texts as texts, and neither with the other.
CREATE OR REPLACE FUNCTION store_matches(value jsonb, keys text[], comparisons text[], operands jsonb[]) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT NOT EXISTS (
        SELECT FROM unnest(keys, comparisons, operands) AS asked (key, comparison, operand)
        WHERE NOT coalesce(
            CASE
                WHEN comparison = '$eq' THEN value -> key = operand
                WHEN comparison = '$ne' THEN value -> key <> operand
                WHEN jsonb_typeof(value -> key) <> jsonb_typeof(operand) THEN false
                WHEN jsonb_typeof(operand) = 'string' THEN CASE comparison
                    WHEN '$gt' THEN (value ->> key) COLLATE "C" > (operand #>> '{{}}')
                    WHEN '$gte' THEN (value ->> key) COLLATE "C" >= (operand #>> '{{}}')
                    WHEN '$lt' THEN (value ->> key) COLLATE "C" < (operand #>> '{{}}')
                    WHEN '$lte' THEN (value ->> key) COLLATE "C" <= (operand #>> '{{}}')
                END
                ELSE CASE comparison
                    WHEN '$gt' THEN value -> key > operand
                    WHEN '$gte' THEN value -> key >= operand
                    WHEN '$lt' THEN value -> key < operand
                    WHEN '$lte' THEN value -> key <= operand
                END
            END, false)
    )
$$;

-- name: mine
-- A namespace's rows and those of the namespaces under it.
SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
FROM store_vectors v
WHERE v.prefix = wanted.root
UNION ALL
SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
FROM store_vectors v
WHERE v.prefix ~>=~ (wanted.root || '.') AND v.prefix ~<~ (wanted.root || '/')

-- name: filtered
-- The same, where the values are as asked; of no namespace in particular, everybody's.
SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
FROM store JOIN store_vectors v USING (prefix, key)
WHERE store.prefix = wanted.root AND store_matches(store.value, _keys, _comparisons, _operands)
UNION ALL
SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
FROM store JOIN store_vectors v USING (prefix, key)
WHERE store.prefix ~>=~ (wanted.root || '.') AND store.prefix ~<~ (wanted.root || '/')
  AND store_matches(store.value, _keys, _comparisons, _operands)
UNION ALL
SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
FROM store JOIN store_vectors v USING (prefix, key)
WHERE wanted.root = '' AND store_matches(store.value, _keys, _comparisons, _operands)

-- name: nearest
-- The nearest items of each namespace: all are compared in half precision, and the first of them exactly.
CREATE OR REPLACE FUNCTION store_nearest(
    _roots text[], _mosts int[], _leasts int[], _vector vector, _keys text[], _comparisons text[], _operands jsonb[]
) RETURNS {found}
LANGUAGE plpgsql STABLE SET plan_cache_mode = 'force_generic_plan' SET jit = 'off' SET work_mem = '64MB' AS $$
#variable_conflict use_column
DECLARE
    _exact {type} := _vector;
    _half halfvec := {half};
BEGIN
    IF cardinality(_keys) = 0 AND NOT '' = ANY (_roots) THEN
        RETURN QUERY {nearest_of_mine};
    ELSE
        RETURN QUERY {nearest_of_filtered};
    END IF;
END $$;

-- name: nearest_of
SELECT wanted.n, item.prefix, item.key, item.value, item.created_at, item.updated_at, item.ttl_minutes,
    item.similarity, item.similarity, best.estimate, item.live
FROM unnest(_roots, _mosts, _leasts) WITH ORDINALITY AS wanted (root, most, least, n)
CROSS JOIN LATERAL (
    SELECT near.*, {close}
    FROM (
        SELECT mine.prefix, mine.key, mine.field_name, -(mine.near {distance} _half) AS estimate
        FROM ({mine}) AS mine
        ORDER BY mine.near {distance} _half
        LIMIT wanted.most
    ) AS near
    WINDOW ranked AS (ORDER BY near.estimate DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
) AS best
LEFT JOIN LATERAL (
    SELECT item.*, {similarity} AS similarity, item.expires_at IS NULL OR item.expires_at > now() AS live
    FROM store_vectors v JOIN store item USING (prefix, key)
    WHERE best.close AND (v.prefix, v.key, v.field_name) = (best.prefix, best.key, best.field_name)
    OFFSET 0 -- each vector is read once
) AS item ON true
WHERE NOT best.close OR item.key IS NOT NULL

-- name: close
-- Whether a row may be among those wanted once it is compared exactly; only these are read whole.
near.estimate >= coalesce(nth_value(near.estimate, greatest(1, wanted.least)) OVER ranked, '-infinity')
    - 2 * {error} * greatest(1, abs(near.estimate)) AS close

-- name: latest
-- The items of each namespace, and of those under it, that were written last; of no namespace in particular, everybody's.
CREATE OR REPLACE FUNCTION store_latest(
    _roots text[], _limits int[], _offsets int[], _keys text[], _comparisons text[], _operands jsonb[]
) RETURNS {found}
LANGUAGE plpgsql STABLE SET plan_cache_mode = 'force_generic_plan' SET jit = 'off' AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT wanted.n, best.*, NULL::float8, NULL::float8, NULL::float8, true
    FROM unnest(_roots, _limits, _offsets) WITH ORDINALITY AS wanted (root, most, skipped, n)
    CROSS JOIN LATERAL (
        SELECT prefix, key, value, created_at, updated_at, ttl_minutes
        FROM (
            SELECT * FROM store WHERE prefix = wanted.root
            UNION ALL
            SELECT * FROM store WHERE prefix ~>=~ (wanted.root || '.') AND prefix ~<~ (wanted.root || '/')
            UNION ALL
            SELECT * FROM store WHERE wanted.root = ''
        ) AS item
        WHERE (expires_at IS NULL OR expires_at > now())
          AND (cardinality(_keys) = 0 OR store_matches(value, _keys, _comparisons, _operands))
        ORDER BY updated_at DESC, prefix, key
        LIMIT wanted.most OFFSET wanted.skipped
    ) AS best
    ORDER BY wanted.n, best.updated_at DESC, best.prefix, best.key;
END $$;

-- name: find_nearest
SELECT * FROM store_nearest(
    %(roots)s, %(mosts)s, %(leasts)s, %(vector)b::vector,
    %(keys)s::text[], %(comparisons)s::text[], %(operands)s::jsonb[]
);

-- name: find_latest
SELECT * FROM store_latest(
    %(roots)s, %(limits)s, %(offsets)s, %(keys)s::text[], %(comparisons)s::text[], %(operands)s::jsonb[]
);

-- name: find_words
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
        NULL::float8 AS score, NULL::float8 AS rank, ts_rank(words, query.words)::float8 AS estimate, true AS live
    FROM (
        SELECT item.* FROM store item
        WHERE item.prefix = wanted.root
          AND (
              NOT %(unindexed)s
              OR NOT EXISTS (SELECT FROM store_vectors v WHERE v.prefix = item.prefix AND v.key = item.key)
          )
          AND (item.expires_at IS NULL OR item.expires_at > now())
        OFFSET 0 -- the words are made out of what is left
    ) AS item
    CROSS JOIN LATERAL to_tsvector(%(language)s::regconfig, item.value ->> %(field)s) AS words
    WHERE words @@ query.words
    ORDER BY estimate DESC, item.key
    LIMIT %(limit)s
) AS best
ORDER BY wanted.n, best.estimate DESC, best.key;

-- name: holding
-- Of namespaces, those that hold something: one look by key at each.
SELECT prefix FROM unnest(%(prefixes)s::text[]) AS asked (prefix)
WHERE EXISTS (
    SELECT FROM store WHERE store.prefix = asked.prefix AND (expires_at IS NULL OR expires_at > now())
);
