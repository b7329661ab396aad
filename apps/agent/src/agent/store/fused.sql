-- Searching by vectors and words at once: the function, and how it is asked. What stands in braces is filled in as in
-- `search.sql`.

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

-- name: find_fused
SELECT * FROM store_fused(
    %(roots)s, %(mosts)s, %(leasts)s, %(vector)b::vector,
    %(keys)s::text[], %(comparisons)s::text[], %(operands)s::jsonb[],
    %(language)s::regconfig, %(query)s, %(own)s, %(around)s, %(centring)s, %(sample)s
);
