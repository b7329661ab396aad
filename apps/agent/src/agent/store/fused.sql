-- Searching by vector and words at once, by cosine; see search.sql for the functions that this one calls.

-- name: word_bits
-- Compute which of up to 12 words a row contains: bit n stands for word n + 1.
CREATE OR REPLACE FUNCTION store_word_bits(row_words tsvector, any_word tsquery, words tsquery[]) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN NOT row_words @@ any_word THEN 0
        ELSE coalesce((row_words @@ words[1])::int, 0)
            | coalesce((row_words @@ words[2])::int << 1, 0)
            | coalesce((row_words @@ words[3])::int << 2, 0)
            | coalesce((row_words @@ words[4])::int << 3, 0)
            | coalesce((row_words @@ words[5])::int << 4, 0)
            | coalesce((row_words @@ words[6])::int << 5, 0)
            | CASE
                WHEN words[7] IS NULL THEN 0
                ELSE coalesce((row_words @@ words[7])::int << 6, 0)
                    | coalesce((row_words @@ words[8])::int << 7, 0)
                    | coalesce((row_words @@ words[9])::int << 8, 0)
                    | coalesce((row_words @@ words[10])::int << 9, 0)
                    | coalesce((row_words @@ words[11])::int << 10, 0)
                    | coalesce((row_words @@ words[12])::int << 11, 0)
            END
    END
$$;

-- name: fused
-- Find the items that are best by cosine and words; part of the mean of the user's vectors is taken out of the query.
-- A word weighs more if fewer of the user's rows contain it, and most if none does, so that a query that paraphrases a
-- memory is left to the vectors; an n-gram that none contains has no weight, because it often is no word, but the end of
-- one and the start of the next. The words of the rows around a row in its conversation count too: an answer is often
-- meaningless without its question. In a large namespace they do not, and rows that cannot be candidates are skipped.
-- An item with several rows counts once: with its nearest row, and the words of all. If that is a passage (`text#0`), the
-- similarity is the mean of those of the passage and of the whole text.
CREATE OR REPLACE FUNCTION store_fused(
    _roots text[], _candidates int[], _page_ends int[], _query vector,
    _keys text[], _comparisons text[], _operands jsonb[],
    _language regconfig, _text text, _own_weight float8, _nearby_weight float8, _centring float8, _mean_sample int,
    _large int DEFAULT 20000, _bound_sample int DEFAULT 1000
) RETURNS TABLE (
    n bigint, prefix text, key text, value jsonb, created_at timestamptz, updated_at timestamptz, ttl_minutes int,
    score float8, rank float8, estimate float8, live boolean
)
LANGUAGE plpgsql STABLE SET plan_cache_mode = 'force_generic_plan' SET jit = 'off' SET work_mem = '64MB' AS $$
#variable_conflict use_column
DECLARE
    _halved halfvec := store_halved(_query);
    _centred halfvec := _halved;
    _filter text[] := nullif(_keys, '{}');
    _words tsquery[] := store_query(_language, _text);
    _any_word tsquery;
    _mean vector;
    _sampled float8;
    _items bigint; -- counted only if the namespaces may be large
    _bounds float8[]; -- by namespace; NULL if they are not large
    _end text; -- above all namespaces
BEGIN
    IF '' = ANY (_roots) THEN
        SELECT prefix || '/' INTO _end FROM store_vectors ORDER BY prefix USING ~>~ LIMIT 1;
    END IF;

    _any_word := (SELECT string_agg(word::text, ' | ')::tsquery FROM unnest(_words) AS word);

    -- The first rows in the order of the index, whatever plan or physical order there is. Several fields of one item
    -- are ties, which all count.
    SELECT avg(near)::vector, count(*) INTO _mean, _sampled
    FROM unnest(_roots) AS search (root)
    CROSS JOIN LATERAL (
        (
            SELECT near FROM store_vectors_in(search.root, NULL, NULL, NULL)
            ORDER BY sequence COLLATE "C", moment COLLATE "C", key
            FETCH FIRST (_mean_sample) ROWS WITH TIES
        )
        UNION ALL
        (
            SELECT near FROM store_vectors_between(search.root || '.', search.root || '/', NULL, NULL, NULL)
            ORDER BY prefix USING ~<~, sequence COLLATE "C", moment COLLATE "C", key
            FETCH FIRST (_mean_sample) ROWS WITH TIES
        )
    ) AS sample;
    IF _mean IS NOT NULL THEN
        _centred := l2_normalize(_query)
            - _mean * array_fill(_centring * _sampled / (_sampled + 10), ARRAY[vector_dims(_mean)])::vector;
    END IF;

    IF _filter IS NULL AND NOT '' = ANY (_roots) AND _sampled >= _mean_sample THEN
        SELECT sum(items) INTO _items
        FROM unnest(_roots) AS search (root)
        CROSS JOIN LATERAL (
            SELECT count(*) AS items FROM store WHERE prefix = search.root
            UNION ALL
            SELECT count(*) FROM store WHERE prefix ~>=~ (search.root || '.') AND prefix ~<~ (search.root || '/')
        ) AS counted;
    END IF;
    IF _items > _large THEN
        -- A row without a word is no candidate if enough rows of any sample are nearer.
        SELECT array_agg(coalesce(bound, 'infinity') ORDER BY n) INTO _bounds
        FROM unnest(_roots, _candidates) WITH ORDINALITY AS search (root, candidates, n)
        LEFT JOIN LATERAL (
            SELECT distance
            FROM (
                SELECT v.near <#> _centred AS distance
                FROM (
                    SELECT * FROM store_vectors_in(search.root, NULL, NULL, NULL)
                    UNION ALL
                    SELECT * FROM store_vectors_between(search.root || '.', search.root || '/', NULL, NULL, NULL)
                ) AS v
                LIMIT _bound_sample
            ) AS sample
            ORDER BY distance OFFSET search.candidates - 1 LIMIT 1
        ) AS sampled (bound) ON true;
    END IF;

    RETURN QUERY
    WITH rows AS MATERIALIZED (
        SELECT search.n, v.*
        FROM unnest(_roots, _bounds) WITH ORDINALITY AS search (root, bound, n)
        CROSS JOIN LATERAL (
            -- the namespace itself: the index delivers its conversations in order
            SELECT NULL AS prefix, key, field_name, (nearest + coalesce(whole, nearest)) / 2 AS distance, bits,
                nearby_bits
            FROM (
                SELECT key, field_name, distance, min(distance) OVER item AS nearest, bit_or(bits) OVER item AS bits,
                    min(distance) FILTER (WHERE strpos(field_name, '#') = 0) OVER item AS whole,
                    CASE WHEN sequence IS NOT NULL THEN bit_or(bits) OVER nearby END AS nearby_bits
                FROM (
                    SELECT v.key, v.field_name, v.sequence COLLATE "C" AS sequence, v.moment COLLATE "C" AS moment,
                        v.near <#> _centred AS distance, store_word_bits(v.words, _any_word, _words) AS bits
                    FROM store_vectors_in(search.root, _filter, _comparisons, _operands) AS v
                    ORDER BY sequence, moment, key
                    OFFSET 0
                ) AS scanned
                WHERE search.bound IS NULL
                WINDOW item AS (PARTITION BY sequence, moment, key),
                    nearby AS (PARTITION BY sequence ORDER BY moment, key GROUPS BETWEEN 2 PRECEDING AND 1 FOLLOWING)
            ) AS of_items
            WHERE distance = nearest
            UNION ALL
            -- the namespaces below it
            SELECT prefix, key, field_name, (nearest + coalesce(whole, nearest)) / 2, bits, nearby_bits
            FROM (
                SELECT prefix, key, field_name, distance, min(distance) OVER item AS nearest,
                    min(distance) FILTER (WHERE strpos(field_name, '#') = 0) OVER item AS whole,
                    bit_or(bits) OVER item AS bits,
                    CASE WHEN sequence IS NOT NULL THEN bit_or(bits) OVER nearby END AS nearby_bits
                FROM (
                    SELECT v.prefix, v.key, v.field_name, v.sequence COLLATE "C" AS sequence,
                        v.moment COLLATE "C" AS moment, v.near <#> _centred AS distance,
                        store_word_bits(v.words, _any_word, _words) AS bits
                    FROM store_vectors_between(
                        CASE search.root WHEN '' THEN '' ELSE search.root || '.' END,
                        CASE search.root WHEN '' THEN _end ELSE search.root || '/' END,
                        _filter, _comparisons, _operands
                    ) AS v
                    OFFSET 0
                ) AS scanned
                WHERE search.bound IS NULL
                WINDOW item AS (PARTITION BY prefix, sequence, moment, key),
                    nearby AS (
                        PARTITION BY prefix, sequence ORDER BY moment, key GROUPS BETWEEN 2 PRECEDING AND 1 FOLLOWING
                    )
            ) AS of_items
            WHERE distance = nearest
            UNION ALL
            -- both, if large: a row counts as its whole conversation
            SELECT prefix, key, field_name, distance, bits, CASE WHEN sequence IS NOT NULL THEN bits END
            FROM (
                SELECT v.prefix, v.key, v.field_name, v.sequence,
                    v.near <#> _centred AS distance, store_word_bits(v.words, _any_word, _words) AS bits
                FROM (
                    SELECT * FROM store_vectors_in(search.root, NULL, NULL, NULL)
                    UNION ALL
                    SELECT * FROM store_vectors_between(search.root || '.', search.root || '/', NULL, NULL, NULL)
                ) AS v
                OFFSET 0
            ) AS scanned
            WHERE search.bound IS NOT NULL AND (bits <> 0 OR distance <= search.bound)
        ) AS v
    ), counts AS MATERIALIZED (
        SELECT bits, count(*) AS rows FROM rows GROUP BY bits
    ), weights AS MATERIALIZED (
        SELECT bit, CASE
                WHEN containing = 0 AND store_is_ngram(_words[bit + 1]) THEN 1e-9
                ELSE power(ln(1 + (total - containing + 0.5) / (containing + 0.5)), 2)::float8
            END AS weight
        FROM generate_series(0, cardinality(_words) - 1) AS bit
        CROSS JOIN LATERAL (
            SELECT coalesce(CASE WHEN _bounds IS NOT NULL THEN _items END, sum(rows), 0)::float8 AS total,
                coalesce(sum(rows) FILTER (WHERE bits & (1 << bit) <> 0), 0) AS containing
            FROM counts
        ) AS counted
    ), shares AS MATERIALIZED (
        -- The share of the query's weight that each combination of the first six words has, and of the other six.
        SELECT array_agg(low ORDER BY mask) AS low, array_agg(high ORDER BY mask) AS high
        FROM (
            SELECT mask,
                coalesce(sum(weight) FILTER (WHERE bit < 6 AND mask & (1 << bit) <> 0), 0) / sum(weight) AS low,
                coalesce(sum(weight) FILTER (WHERE bit >= 6 AND mask & (1 << (bit - 6)) <> 0), 0) / sum(weight) AS high
            FROM generate_series(0, 63) AS mask CROSS JOIN weights
            GROUP BY mask
        ) AS combination
    )
    SELECT search.n, item.prefix, item.key, item.value, item.created_at, item.updated_at, item.ttl_minutes,
        (field.best + coalesce(field.whole, field.best)) / 2,
        CASE
            WHEN strpos(candidate.field_name, '#') = 0 THEN field.centred
            ELSE (field.centred + coalesce(field.whole_centred, field.centred)) / 2
        END + candidate.bonus,
        candidate.estimate,
        item.expires_at IS NULL OR item.expires_at > now()
    FROM unnest(_roots, _candidates, _page_ends) WITH ORDINALITY AS search (root, candidates, page_end, n)
    CROSS JOIN LATERAL (
        -- is_close: as in store_nearest()
        SELECT nearest.*, coalesce(nearest.prefix_below, search.root) AS prefix,
            nearest.estimate >= coalesce(nth_value(nearest.estimate, greatest(1, search.page_end)) OVER best, '-infinity')
                - 2 * 0.0015 * greatest(1, abs(nearest.estimate)) AS is_close
        FROM (
            SELECT rows.prefix AS prefix_below, rows.key, rows.field_name, bonus, bonus - rows.distance AS estimate
            FROM rows
            CROSS JOIN shares
            CROSS JOIN LATERAL (
                SELECT CASE
                    WHEN coalesce(nearby_bits, bits) = 0 THEN 0
                    ELSE _own_weight * (shares.low[1 + (bits & 63)] + shares.high[1 + (bits >> 6)])
                        + coalesce(_nearby_weight
                            * (shares.low[1 + (nearby_bits & 63)] + shares.high[1 + (nearby_bits >> 6)]), 0)
                END AS bonus
            ) AS words
            WHERE rows.n = search.n
            ORDER BY estimate DESC, rows.prefix, rows.key, rows.field_name
            LIMIT search.candidates
        ) AS nearest
        WINDOW best AS (ORDER BY nearest.estimate DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    ) AS candidate
    LEFT JOIN LATERAL (
        -- The field that matched the words may not be the one with the item's nearest vector.
        SELECT max(exact.similarity) AS best,
            max(exact.similarity) FILTER (WHERE strpos(exact.field_name, '#') = 0) AS whole,
            max(exact.centred) FILTER (WHERE strpos(exact.field_name, '#') = 0) AS whole_centred,
            max(exact.centred) FILTER (WHERE exact.field_name = candidate.field_name) AS centred
        FROM (
            SELECT v.field_name, similarity, similarity + (v.near <#> _halved) - (v.near <#> _centred) AS centred
            FROM store_vectors v
            CROSS JOIN LATERAL (SELECT store_similarity(v.embedding::vector, _query) AS similarity) AS measured
            WHERE candidate.is_close AND v.prefix = candidate.prefix AND v.key = candidate.key
            OFFSET 0 -- reads each vector once
        ) AS exact
    ) AS field ON true
    LEFT JOIN LATERAL (
        SELECT * FROM store
        WHERE candidate.is_close AND prefix = candidate.prefix AND key = candidate.key
        OFFSET 0
    ) AS item ON true
    WHERE NOT candidate.is_close OR item.key IS NOT NULL;
END $$;

-- name: find_fused
-- Call store_fused().
SELECT * FROM store_fused(
    %(roots)s, %(candidates)s, %(page_ends)s, %(vector)b::vector,
    %(keys)s::text[], %(comparisons)s::text[], %(operands)s::jsonb[],
    %(language)s::regconfig, %(query)s, %(own_weight)s, %(nearby_weight)s, %(centring)s, %(mean_sample)s
);
