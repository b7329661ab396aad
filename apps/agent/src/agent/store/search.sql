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

-- name: fused
-- The same for cosine, with what the user's memories have in common taken out of the query, and with the query's words.
CREATE OR REPLACE FUNCTION store_fused(
    _roots text[], _mosts int[], _leasts int[], _vector vector, _keys text[], _comparisons text[], _operands jsonb[],
    _language regconfig, _query text, _own float8, _around float8, _centring float8, _sample int
) RETURNS {found}
LANGUAGE plpgsql STABLE SET plan_cache_mode = 'force_generic_plan' SET jit = 'off' SET work_mem = '64MB' AS $$
#variable_conflict use_column
DECLARE
    _exact {type} := _vector;
    _half halfvec := {half};
    _aim halfvec := _half;
    _mean vector;
    _sampled float8;
    _total float8;
    _bounds float8[];
    _words text[];
    _any_word tsquery;
    {slot_declarations}
BEGIN
    SELECT array_agg(word), string_agg(word, ' | ')::tsquery INTO _words, _any_word
    FROM (
        SELECT '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''' AS word
        FROM unnest(to_tsvector(_language, _query))
        ORDER BY length(lexeme) DESC, lexeme
        LIMIT {slots}
    ) AS longest;
    {slot_assignments}

    SELECT avg(near)::vector, count(*) INTO _mean, _sampled
    FROM unnest(_roots) AS wanted (root) CROSS JOIN LATERAL (SELECT near FROM ({mine}) AS mine LIMIT _sample) AS sample;
    IF _mean IS NOT NULL THEN
        _aim := l2_normalize(_vector)
            - _mean * array_fill(_centring * _sampled / (_sampled + 10), ARRAY[vector_dims(_mean)])::vector;
    END IF;

    IF cardinality(_keys) > 0 OR '' = ANY (_roots) THEN
        RETURN QUERY {fused_of_filtered};
    ELSIF _sampled >= _sample AND EXISTS (
        SELECT FROM unnest(_roots) AS wanted (root) CROSS JOIN LATERAL ({keys}) AS mine OFFSET {crowd}
    ) THEN
        SELECT count(*) INTO _total FROM unnest(_roots) AS wanted (root) CROSS JOIN LATERAL ({keys}) AS mine;
        SELECT array_agg(coalesce(bound, 'infinity') ORDER BY n) INTO _bounds
        FROM unnest(_roots, _mosts) WITH ORDINALITY AS wanted (root, most, n)
        LEFT JOIN LATERAL (
            SELECT distance
            FROM (SELECT near <#> _aim AS distance FROM ({mine}) AS mine LIMIT {sampled_crowd}) AS sample
            ORDER BY distance OFFSET wanted.most - 1 LIMIT 1
        ) AS sampled (bound) ON true;
        RETURN QUERY {fused_of_crowd};
    ELSE
        RETURN QUERY {fused_of_mine};
    END IF;
END $$;

-- name: fused_of
-- A row tells by a bit for each of the query's words whether it has it. What the rows around it in its conversation have
-- counts too: an answer is often not understood without its question. A word weighs the more the fewer of the user's
-- rows have it, and one that none has weighs most, so that a query in other words than its memory's is left to the
-- vectors.
WITH rows AS MATERIALIZED (
    SELECT wanted.n, mine.*
    FROM unnest(_roots, _bounds) WITH ORDINALITY AS wanted (root, bound, n) CROSS JOIN LATERAL ({placed}) AS mine
), counts AS MATERIALIZED (
    SELECT has, count(*) AS rows FROM rows GROUP BY has
), weights AS MATERIALIZED (
    SELECT bit, power(ln(1 + (total - having_it + 0.5) / (having_it + 0.5)), 2)::float8 AS weight
    FROM generate_series(0, cardinality(_words) - 1) AS bit
    CROSS JOIN LATERAL (
        SELECT coalesce(_total, sum(rows), 0) AS total,
            coalesce(sum(rows) FILTER (WHERE has & (1 << bit) <> 0), 0) AS having_it
        FROM counts
    ) AS counted
), worth AS MATERIALIZED (
    -- What each combination of words is worth, as a share of the whole query: of the first six bits, and of the others.
    SELECT array_agg(low ORDER BY mask) AS low, array_agg(high ORDER BY mask) AS high
    FROM (
        SELECT mask,
            coalesce(sum(weight) FILTER (WHERE bit < 6 AND mask & (1 << bit) <> 0), 0) / sum(weight) AS low,
            coalesce(sum(weight) FILTER (WHERE bit >= 6 AND mask & (1 << (bit - 6)) <> 0), 0) / sum(weight) AS high
        FROM generate_series(0, 63) AS mask CROSS JOIN weights
        GROUP BY mask
    ) AS combination
)
SELECT wanted.n, item.prefix, item.key, item.value, item.created_at, item.updated_at, item.ttl_minutes,
    field.best, field.similarity + best.bonus + field.centring, best.estimate,
    item.expires_at IS NULL OR item.expires_at > now()
FROM unnest(_roots, _mosts, _leasts) WITH ORDINALITY AS wanted (root, most, least, n)
CROSS JOIN LATERAL (
    SELECT near.*, coalesce(near.at, wanted.root) AS prefix, {close}
    FROM (
        SELECT rows.prefix AS at, rows.key, rows.field_name, bonus, bonus - rows.distance AS estimate
        FROM rows
        CROSS JOIN worth
        CROSS JOIN LATERAL (
            SELECT CASE
                WHEN coalesce(beside, has) = 0 THEN 0
                ELSE _own * (worth.low[1 + (has & 63)] + worth.high[1 + (has >> 6)])
                    + coalesce(_around * (worth.low[1 + (beside & 63)] + worth.high[1 + (beside >> 6)]), 0)
            END AS bonus
        ) AS words
        WHERE rows.n = wanted.n
        ORDER BY estimate DESC
        LIMIT wanted.most
    ) AS near
    WINDOW ranked AS (ORDER BY near.estimate DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
) AS best
LEFT JOIN LATERAL (
    -- The row that was found for its words may not be the one with the item's nearest vector.
    SELECT max(one.similarity) AS best,
        max(one.similarity) FILTER (WHERE one.field_name = best.field_name) AS similarity,
        max(one.centring) FILTER (WHERE one.field_name = best.field_name) AS centring
    FROM (
        SELECT v.field_name, {similarity} AS similarity, (v.near <#> _half) - (v.near <#> _aim) AS centring
        FROM store_vectors v
        WHERE best.close AND v.prefix = best.prefix AND v.key = best.key
        OFFSET 0 -- each vector is read once
    ) AS one
) AS field ON true
LEFT JOIN LATERAL (
    SELECT * FROM store WHERE best.close AND prefix = best.prefix AND key = best.key OFFSET 0
) AS item ON true
WHERE NOT best.close OR item.key IS NOT NULL

-- name: placed_mine
-- A namespace's rows in the order of their conversations, which is the index's, and those of the namespaces under it.
SELECT NULL AS prefix, key, field_name, distance, has, {beside} AS beside
FROM (
    SELECT v.key, v.field_name, v.sequence, v.moment, v.near <#> _aim AS distance, {has} AS has
    FROM store_vectors v
    WHERE v.prefix = wanted.root
    ORDER BY v.sequence, v.moment, v.key
    OFFSET 0
) AS scanned
WINDOW conversation AS (
    PARTITION BY sequence ORDER BY moment, key ROWS BETWEEN {before} PRECEDING AND {after} FOLLOWING
)
UNION ALL
SELECT prefix, key, field_name, distance, has, {beside} AS beside
FROM (
    SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near <#> _aim AS distance, {has} AS has
    FROM store_vectors v
    WHERE v.prefix ~>=~ (wanted.root || '.') AND v.prefix ~<~ (wanted.root || '/')
    OFFSET 0
) AS scanned
WINDOW conversation AS (
    PARTITION BY prefix, sequence ORDER BY moment, key ROWS BETWEEN {before} PRECEDING AND {after} FOLLOWING
)

-- name: placed_crowd
-- The same without what stands around a row in its conversation, and without rows that cannot be among the first: they
-- have no word, and enough others are nearer.
SELECT prefix, key, field_name, distance, has, CASE WHEN sequence IS NOT NULL THEN has END AS beside
FROM (
    SELECT v.prefix, v.key, v.field_name, v.sequence, v.near <#> _aim AS distance, {has} AS has
    FROM ({mine}) AS v
    OFFSET 0
) AS scanned
WHERE has <> 0 OR distance <= wanted.bound

-- name: keys
SELECT FROM store WHERE prefix = wanted.root
UNION ALL
SELECT FROM store WHERE prefix ~>=~ (wanted.root || '.') AND prefix ~<~ (wanted.root || '/')

-- name: placed_filtered
SELECT prefix, key, field_name, distance, has, {beside} AS beside
FROM (
    SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near <#> _aim AS distance, {has} AS has
    FROM ({filtered}) AS v
    OFFSET 0
) AS scanned
WINDOW conversation AS (
    PARTITION BY prefix, sequence ORDER BY moment, key ROWS BETWEEN {before} PRECEDING AND {after} FOLLOWING
)

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

-- name: find_fused
SELECT * FROM store_fused(
    %(roots)s, %(mosts)s, %(leasts)s, %(vector)b::vector,
    %(keys)s::text[], %(comparisons)s::text[], %(operands)s::jsonb[],
    %(language)s::regconfig, %(query)s, %(own)s, %(around)s, %(centring)s, %(sample)s
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
