-- The functions that a search calls; setup() creates them. plpgsql keeps their plans, because planning takes longer than
-- a search. A namespace's rows are selected by key, so the rows of other users neither slow a search down nor hide its
-- results. Results do not depend on the physical order of rows: every LIMIT has a total order.

-- name: matches
-- Check whether a value matches a filter; numbers compare with numbers, texts with texts, and neither with the other.
CREATE OR REPLACE FUNCTION store_matches(value jsonb, keys text[], comparisons text[], operands jsonb[]) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT NOT EXISTS (
        SELECT FROM unnest(keys, comparisons, operands) AS condition (key, comparison, operand)
        WHERE NOT coalesce(
            CASE
                WHEN comparison = '$eq' THEN value -> key = operand
                WHEN comparison = '$ne' THEN value -> key <> operand
                WHEN jsonb_typeof(value -> key) <> jsonb_typeof(operand) THEN false
                WHEN jsonb_typeof(operand) = 'string' THEN CASE comparison
                    WHEN '$gt' THEN (value ->> key) COLLATE "C" > (operand #>> '{}')
                    WHEN '$gte' THEN (value ->> key) COLLATE "C" >= (operand #>> '{}')
                    WHEN '$lt' THEN (value ->> key) COLLATE "C" < (operand #>> '{}')
                    WHEN '$lte' THEN (value ->> key) COLLATE "C" <= (operand #>> '{}')
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

-- name: vectors_in
-- List the vectors of a namespace whose items match a filter, or all if keys are NULL; the planner inlines this.
CREATE OR REPLACE FUNCTION store_vectors_in(root text, keys text[], comparisons text[], operands jsonb[])
RETURNS TABLE (prefix text, key text, field_name text, sequence text, moment text, near halfvec, words tsvector)
LANGUAGE sql STABLE AS $$
    SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
    FROM store_vectors v
    WHERE v.prefix = root
      AND (keys IS NULL OR (
          SELECT store_matches(item.value, keys, comparisons, operands)
          FROM store item WHERE item.prefix = v.prefix AND item.key = v.key
      ))
$$;

-- name: vectors_between
-- List the same of all namespaces from a lower to below an upper bound, in bytewise order.
CREATE OR REPLACE FUNCTION store_vectors_between(
    lower text, upper text, keys text[], comparisons text[], operands jsonb[]
)
RETURNS TABLE (prefix text, key text, field_name text, sequence text, moment text, near halfvec, words tsvector)
LANGUAGE sql STABLE AS $$
    SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
    FROM store_vectors v
    WHERE v.prefix ~>=~ lower AND v.prefix ~<~ upper
      AND (keys IS NULL OR (
          SELECT store_matches(item.value, keys, comparisons, operands)
          FROM store item WHERE item.prefix = v.prefix AND item.key = v.key
      ))
$$;

-- name: cosine
-- Measure by cosine; `near` and the halved query have length 1, so that their inner product is the cosine.
CREATE OR REPLACE FUNCTION store_halved(query vector) RETURNS halfvec
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT l2_normalize(query)::halfvec $$;
CREATE OR REPLACE FUNCTION store_distance(near halfvec, query halfvec) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT near <#> query $$;
CREATE OR REPLACE FUNCTION store_similarity(embedding vector, query vector) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(nullif(1 - (embedding <=> query), 'NaN'), 0) $$;

-- name: inner_product
-- Measure by inner product.
CREATE OR REPLACE FUNCTION store_halved(query vector) RETURNS halfvec
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT query::halfvec $$;
CREATE OR REPLACE FUNCTION store_distance(near halfvec, query halfvec) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT near <#> query $$;
CREATE OR REPLACE FUNCTION store_similarity(embedding vector, query vector) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT -(embedding <#> query) $$;

-- name: l2
-- Measure by Euclidean distance.
CREATE OR REPLACE FUNCTION store_halved(query vector) RETURNS halfvec
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT query::halfvec $$;
CREATE OR REPLACE FUNCTION store_distance(near halfvec, query halfvec) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT near <-> query $$;
CREATE OR REPLACE FUNCTION store_similarity(embedding vector, query vector) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT -(embedding <-> query) $$;

-- name: nearest
-- Find the items nearest to a query: compare all vectors in half precision, and exactly those that may be on the page.
-- A search covers a namespace and those below it, which lie between `root.` and `root/`; all are below the empty one.
CREATE OR REPLACE FUNCTION store_nearest(
    _roots text[], _candidates int[], _page_ends int[], _query vector,
    _keys text[], _comparisons text[], _operands jsonb[]
) RETURNS TABLE (
    n bigint, prefix text, key text, value jsonb, created_at timestamptz, updated_at timestamptz, ttl_minutes int,
    score float8, rank float8, estimate float8, live boolean
)
LANGUAGE plpgsql STABLE SET plan_cache_mode = 'force_generic_plan' SET jit = 'off' SET work_mem = '64MB' AS $$
#variable_conflict use_column
DECLARE
    _halved halfvec := store_halved(_query);
    _filter text[] := nullif(_keys, '{}');
    _end text; -- above all namespaces
BEGIN
    IF '' = ANY (_roots) THEN
        SELECT prefix || '/' INTO _end FROM store_vectors ORDER BY prefix USING ~>~ LIMIT 1;
    END IF;
    RETURN QUERY
    SELECT search.n, item.prefix, item.key, item.value, item.created_at, item.updated_at, item.ttl_minutes,
        item.similarity, item.similarity, candidate.estimate, item.live
    FROM unnest(_roots, _candidates, _page_ends) WITH ORDINALITY AS search (root, candidates, page_end, n)
    CROSS JOIN LATERAL (
        -- is_close: may be on the page once it is compared exactly; 0.0015 is the error of an estimate (see search.py)
        SELECT nearest.*,
            nearest.estimate >= coalesce(nth_value(nearest.estimate, greatest(1, search.page_end)) OVER best, '-infinity')
                - 2 * 0.0015 * greatest(1, abs(nearest.estimate)) AS is_close
        FROM (
            SELECT v.prefix, v.key, v.field_name, -store_distance(v.near, _halved) AS estimate
            FROM (
                SELECT * FROM store_vectors_in(search.root, _filter, _comparisons, _operands)
                UNION ALL
                SELECT * FROM store_vectors_between(
                    CASE search.root WHEN '' THEN '' ELSE search.root || '.' END,
                    CASE search.root WHEN '' THEN _end ELSE search.root || '/' END,
                    _filter, _comparisons, _operands
                )
            ) AS v
            ORDER BY store_distance(v.near, _halved), v.prefix, v.key, v.field_name
            LIMIT search.candidates
        ) AS nearest
        WINDOW best AS (ORDER BY nearest.estimate DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    ) AS candidate
    LEFT JOIN LATERAL (
        SELECT item.*, store_similarity(v.embedding::vector, _query) AS similarity,
            item.expires_at IS NULL OR item.expires_at > now() AS live
        FROM store_vectors v JOIN store item USING (prefix, key)
        WHERE candidate.is_close
          AND (v.prefix, v.key, v.field_name) = (candidate.prefix, candidate.key, candidate.field_name)
        OFFSET 0 -- reads each vector once
    ) AS item ON true
    WHERE NOT candidate.is_close OR item.key IS NOT NULL;
END $$;

-- name: latest
-- Find the most recently updated items of each namespace and of those below it; all are below the empty namespace. Each
-- search has conditions of its own, as [key, comparison, operand].
CREATE OR REPLACE FUNCTION store_latest(_searches jsonb) RETURNS TABLE (
    n bigint, prefix text, key text, value jsonb, created_at timestamptz, updated_at timestamptz, ttl_minutes int,
    score float8, rank float8, estimate float8, live boolean
)
LANGUAGE plpgsql STABLE SET plan_cache_mode = 'force_generic_plan' SET jit = 'off' AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT search.n, latest.*, NULL::float8, NULL::float8, NULL::float8, true
    FROM jsonb_to_recordset(_searches) AS search (n bigint, root text, size int, start int, conditions jsonb)
    CROSS JOIN LATERAL (
        SELECT array_agg(one ->> 0) AS keys, array_agg(one ->> 1) AS comparisons, array_agg(one -> 2) AS operands,
            -- what every match contains, which is checked much faster than a filter
            coalesce(jsonb_object_agg(one ->> 0, one -> 2) FILTER (WHERE one ->> 1 = '$eq'), '{}') AS contained
        FROM jsonb_array_elements(search.conditions) AS condition (one)
    ) AS filter
    CROSS JOIN LATERAL (
        SELECT prefix, key, value, created_at, updated_at, ttl_minutes
        FROM (
            SELECT * FROM store WHERE prefix = search.root
            UNION ALL
            SELECT * FROM store WHERE prefix ~>=~ (search.root || '.') AND prefix ~<~ (search.root || '/')
            UNION ALL
            SELECT * FROM store WHERE search.root = ''
        ) AS item
        WHERE (expires_at IS NULL OR expires_at > now())
          AND (filter.keys IS NULL
              OR (value @> filter.contained
                  AND store_matches(value, filter.keys, filter.comparisons, filter.operands)))
        ORDER BY updated_at DESC, prefix, key
        LIMIT search.size OFFSET search.start
    ) AS latest
    ORDER BY search.n, latest.updated_at DESC, latest.prefix, latest.key;
END $$;

-- name: sharing
-- Find the items of each namespace that share a word with a text, best first; or only those without a vector. They are
-- found by subqueries, not by NOT EXISTS: on partitioned tables with statistics, Postgres would read all vectors of all
-- users for an anti join.
CREATE OR REPLACE FUNCTION store_sharing(
    _roots text[], _field text, _bytes int, _language regconfig, _text text, _limit int, _unindexed boolean
) RETURNS TABLE (
    n bigint, prefix text, key text, value jsonb, created_at timestamptz, updated_at timestamptz, ttl_minutes int,
    score float8, rank float8, estimate float8, live boolean
)
LANGUAGE plpgsql STABLE SET plan_cache_mode = 'force_generic_plan' SET jit = 'off' AS $$
#variable_conflict use_column
DECLARE
    _words tsquery[];
    _any_word tsquery;
BEGIN
    IF _unindexed AND NOT EXISTS (
        SELECT FROM store item
        WHERE item.prefix = ANY (_roots)
          AND (SELECT true FROM store_vectors v WHERE v.prefix = item.prefix AND v.key = item.key LIMIT 1) IS NULL
    ) THEN
        RETURN; -- the usual case
    END IF;
    _words := store_query(_language, _text);
    _any_word := (SELECT string_agg(word::text, '|')::tsquery FROM unnest(_words) AS word);
    RETURN QUERY
    SELECT search.n, best.*
    FROM unnest(_roots) WITH ORDINALITY AS search (root, n)
    CROSS JOIN LATERAL (
        SELECT item.prefix, item.key, item.value, item.created_at, item.updated_at, item.ttl_minutes,
            NULL::float8 AS score, NULL::float8 AS rank, contained.words::float8 AS estimate, true AS live
        FROM (
            SELECT item.* FROM store item
            WHERE item.prefix = search.root
              AND (
                  NOT _unindexed
                  OR (SELECT true FROM store_vectors v WHERE v.prefix = item.prefix AND v.key = item.key LIMIT 1) IS NULL
              )
              AND (item.expires_at IS NULL OR item.expires_at > now())
            OFFSET 0 -- filters before texts are split into words
        ) AS item
        CROSS JOIN LATERAL (
            SELECT coalesce(
                (
                    SELECT v.words FROM store_vectors v
                    WHERE v.prefix = item.prefix AND v.key = item.key AND v.field_name = _field
                ),
                store_words(_language, item.value ->> _field, _bytes)
            ) AS words
            OFFSET 0
        ) AS extracted
        CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE extracted.words @@ word) AS words FROM unnest(_words) AS word
        ) AS contained
        WHERE extracted.words @@ _any_word
        ORDER BY estimate DESC, item.key
        LIMIT _limit
    ) AS best
    ORDER BY search.n, best.estimate DESC, best.key;
END $$;

-- name: find_nearest
-- Call store_nearest().
SELECT * FROM store_nearest(
    %(roots)s, %(candidates)s, %(page_ends)s, %(vector)b::vector,
    %(keys)s::text[], %(comparisons)s::text[], %(operands)s::jsonb[]
);

-- name: find_latest
-- Call store_latest().
SELECT * FROM store_latest(%(searches)s);

-- name: find_words
-- Call store_sharing().
SELECT * FROM store_sharing(
    %(prefixes)s, %(field)s, %(bytes)s, %(language)s::regconfig, %(query)s, %(limit)s, %(unindexed)s
);

-- name: find_items
-- Read items by key, with their positions in the list of keys.
SELECT wanted.n, store.prefix, store.key, store.value, store.created_at, store.updated_at, store.ttl_minutes
FROM unnest(%(prefixes)s::text[], %(keys)s::text[]) WITH ORDINALITY AS wanted (prefix, key, n)
JOIN store ON store.prefix = wanted.prefix AND store.key = wanted.key
WHERE store.expires_at IS NULL OR store.expires_at > now();
