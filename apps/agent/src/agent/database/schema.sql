-- The schema of a new database with the default settings: Keepsake's own tables, and those of LangGraph's store and
-- checkpointer. Generated with `make schema`; to change it, add a migration (see migration.py).

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;

CREATE FUNCTION store_distance(near halfvec, query halfvec) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT near <#> query $$;

CREATE FUNCTION store_folded(body text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
    IF octet_length(body) = length(body) THEN
        RETURN lower(body);
    END IF;
    RETURN replace(replace(replace(translate(normalize(
        regexp_replace(normalize(lower(body), NFD), '([a-zα-ωе])[\u0300-\u036f]+', '\1', 'g'), NFC
    ), 'øłđıς', 'oldiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
END $$;

CREATE FUNCTION store_fused(_roots text[], _candidates integer[], _page_ends integer[], _query vector, _keys text[], _comparisons text[], _operands jsonb[], _language regconfig, _text text, _own_weight double precision, _nearby_weight double precision, _centring double precision, _mean_sample integer, _large integer DEFAULT 20000, _bound_sample integer DEFAULT 1000) RETURNS TABLE(n bigint, prefix text, key text, value jsonb, created_at timestamp with time zone, updated_at timestamp with time zone, ttl_minutes integer, score double precision, rank double precision, estimate double precision, live boolean)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET work_mem TO '64MB'
    AS $$
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

CREATE FUNCTION store_halved(query vector) RETURNS halfvec
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT l2_normalize(query)::halfvec $$;

CREATE FUNCTION store_is_ngram(word tsquery) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    SELECT store_separated(word::text) <> word::text
$$;

CREATE FUNCTION store_language(_configured regconfig, body text) RETURNS regconfig
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    _start text := left(body, 400);
    _tokens text[];
    _stop_words int;
    _language regconfig;
BEGIN
    IF octet_length(_start) > length(_start) THEN
        SELECT script.language INTO _language
        FROM (VALUES
            ('russian'::regconfig, '[\u0400-\u052f]'), ('greek', '[\u0370-\u03ff\u1f00-\u1fff]'),
            ('arabic', '[\u0600-\u06ff]'), ('hindi', '[\u0900-\u097f]'), ('tamil', '[\u0b80-\u0bff]'),
            ('armenian', '[\u0530-\u058f]')
        ) AS script (language, letters)
        WHERE 3 * (length(_start) - length(regexp_replace(_start, letters, '', 'g'))) > length(_start);
        IF FOUND THEN
            RETURN _language;
        END IF;
    END IF;
    _tokens := tsvector_to_array(to_tsvector('simple', _start));
    _stop_words := cardinality(_tokens) - length(to_tsvector(_configured, _start));
    IF _stop_words > 1 AND _stop_words >= cardinality(_tokens) * (CASE _stop_words WHEN 2 THEN 0.5 ELSE 0.4 END) THEN
        RETURN _configured; -- to count those of the other languages takes longer than the rest of a search's preparation
    END IF;
    RETURN (
        SELECT language
        FROM unnest(
            ARRAY['english', 'spanish', 'french', 'german', 'portuguese', 'italian', 'dutch', 'turkish', 'swedish',
                'danish', 'norwegian', 'finnish', 'hungarian']::regconfig[],
            ARRAY['english_stem', 'spanish_stem', 'french_stem', 'german_stem', 'portuguese_stem', 'italian_stem',
                'dutch_stem', 'turkish_stem', 'swedish_stem', 'danish_stem', 'norwegian_stem', 'finnish_stem',
                'hungarian_stem']::regdictionary[]
        ) WITH ORDINALITY AS known (language, dictionary, n)
        CROSS JOIN LATERAL (
            SELECT count(*) AS stop_words FROM unnest(_tokens) AS token WHERE ts_lexize(dictionary, token) = '{}'
        ) AS counted
        WHERE stop_words > 0
        ORDER BY stop_words DESC, language = _configured DESC, n
        LIMIT 1
    );
END $$;

CREATE FUNCTION store_latest(_searches jsonb) RETURNS TABLE(n bigint, prefix text, key text, value jsonb, created_at timestamp with time zone, updated_at timestamp with time zone, ttl_minutes integer, score double precision, rank double precision, estimate double precision, live boolean)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    AS $_$
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
END $_$;

CREATE FUNCTION store_matches(value jsonb, keys text[], comparisons text[], operands jsonb[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
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
$_$;

CREATE FUNCTION store_nearest(_roots text[], _candidates integer[], _page_ends integer[], _query vector, _keys text[], _comparisons text[], _operands jsonb[]) RETURNS TABLE(n bigint, prefix text, key text, value jsonb, created_at timestamp with time zone, updated_at timestamp with time zone, ttl_minutes integer, score double precision, rank double precision, estimate double precision, live boolean)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET work_mem TO '64MB'
    AS $$
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

CREATE FUNCTION store_ngrams(body text) RETURNS TABLE(ngram text, size integer, run_size integer, n bigint)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    SELECT substr(run, i, size), size, length(run), row_number() OVER (ORDER BY number, i)
    FROM regexp_matches(
        body,
        '[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+|[\u3041-\u309f]+'
            '|[\u30a1-\u30ff\u31f0-\u31ff]+|[\uac00-\ud7a3]+|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+',
        'g'
    ) WITH ORDINALITY AS found (runs, number)
    CROSS JOIN LATERAL (
        SELECT runs[1] AS run, CASE WHEN ascii(runs[1]) < 8192 THEN 3 ELSE 2 END AS size
    ) AS sized
    CROSS JOIN LATERAL generate_series(1, length(run)) AS i
$$;

CREATE FUNCTION store_query(_language regconfig, _body text) RETURNS tsquery[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $_$
DECLARE
    _text text := left(_body, 8000);
    _is_ascii boolean := octet_length(_text) = length(_text);
    _separated text;
    _detected regconfig;
    _content int[]; -- the positions of all words but stop words; NULL if a single one may be none in this text
BEGIN
    IF NOT _is_ascii THEN
        _text := normalize(_text, NFKC);
    END IF;
    _separated := store_separated(_text);
    _detected := store_language(_language, _separated);
    IF _is_ascii AND _detected = _language THEN
        RETURN (
            SELECT array_agg(store_quoted(lexeme)::tsquery)
            FROM (
                SELECT lexeme FROM unnest(to_tsvector(_detected, _text)) ORDER BY length(lexeme) DESC, lexeme LIMIT 12
            ) AS longest
        );
    END IF;
    IF _detected = _language
        OR length(to_tsvector('simple', _separated)) - length(to_tsvector(_detected, _separated)) > 1
    THEN
        _content := ARRAY(SELECT unnest(positions) FROM unnest(to_tsvector(_detected, _separated)));
    END IF;
    RETURN (
        SELECT array_agg(word::tsquery)
        FROM (
            SELECT DISTINCT string_agg(store_quoted(lexeme), '|' ORDER BY lexeme) AS word, max(length(lexeme)) AS size,
                0::bigint AS rank
            FROM (
                SELECT position, store_folded(lexeme) AS lexeme
                FROM unnest(
                    ARRAY[coalesce(_detected, _language)] || CASE WHEN _detected IS NULL THEN ARRAY[
                        'german', 'french', 'spanish', 'italian', 'portuguese', 'dutch'
                    ]::regconfig[] END
                ) AS language
                CROSS JOIN unnest(to_tsvector(language, _separated))
                CROSS JOIN unnest(positions) AS position
                UNION
                SELECT position, lexeme
                FROM unnest(to_tsvector(_language, store_folded(_separated)))
                CROSS JOIN unnest(positions) AS position
            ) AS alternative
            WHERE _content IS NULL OR position = ANY (_content)
            GROUP BY position
            UNION ALL
            SELECT store_quoted(ngram) || CASE WHEN length(ngram) < size THEN ':*' ELSE '' END, 0,
                min(CASE WHEN ngram ~ '^[\u3041-\u309f]' THEN 12 + n ELSE n % distance END)
            FROM (
                SELECT ngram, size, n, ceil(count(*) OVER () / 12.0)::bigint AS distance
                FROM store_ngrams(_text)
                WHERE (length(ngram) = size OR run_size < size)
                  AND ngram !~ '^([\u3041-\u309f]|[的了是我你您他她它们在有和就也都很吗呢吧啊什么这那哪怎])+$'
            ) AS content
            GROUP BY ngram, size
            ORDER BY size DESC, rank, word
            LIMIT 12
        ) AS chosen
    );
END $_$;

CREATE FUNCTION store_quoted(lexeme text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    SELECT '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''''
$$;

CREATE FUNCTION store_separated(body text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    SELECT CASE WHEN octet_length(body) = length(body) THEN body ELSE regexp_replace(
        body,
        '[\u3005\u3007\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff'
            '\U00020000-\U0003ffff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+',
        ' ', 'g'
    ) END
$$;

CREATE FUNCTION store_sharing(_roots text[], _field text, _bytes integer, _language regconfig, _text text, _limit integer, _unindexed boolean) RETURNS TABLE(n bigint, prefix text, key text, value jsonb, created_at timestamp with time zone, updated_at timestamp with time zone, ttl_minutes integer, score double precision, rank double precision, estimate double precision, live boolean)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    AS $$
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

CREATE FUNCTION store_similarity(embedding vector, query vector) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT coalesce(nullif(1 - (embedding <=> query), 'NaN'), 0) $$;

CREATE FUNCTION store_vectors_between(lower text, upper text, keys text[], comparisons text[], operands jsonb[]) RETURNS TABLE(prefix text, key text, field_name text, sequence text, moment text, near halfvec, words tsvector)
    LANGUAGE sql STABLE
    AS $$
    SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
    FROM store_vectors v
    WHERE v.prefix ~>=~ lower AND v.prefix ~<~ upper
      AND (keys IS NULL OR (
          SELECT store_matches(item.value, keys, comparisons, operands)
          FROM store item WHERE item.prefix = v.prefix AND item.key = v.key
      ))
$$;

CREATE FUNCTION store_vectors_in(root text, keys text[], comparisons text[], operands jsonb[]) RETURNS TABLE(prefix text, key text, field_name text, sequence text, moment text, near halfvec, words tsvector)
    LANGUAGE sql STABLE
    AS $$
    SELECT v.prefix, v.key, v.field_name, v.sequence, v.moment, v.near, v.words
    FROM store_vectors v
    WHERE v.prefix = root
      AND (keys IS NULL OR (
          SELECT store_matches(item.value, keys, comparisons, operands)
          FROM store item WHERE item.prefix = v.prefix AND item.key = v.key
      ))
$$;

CREATE FUNCTION store_word_bits(row_words tsvector, any_word tsquery, words tsquery[]) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
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

CREATE FUNCTION store_words(_language regconfig, _body text, _bytes integer) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    _text text := left(_body, 8000);
    _is_ascii boolean := octet_length(_text) = length(_text);
    _separated text;
    _detected regconfig;
BEGIN
    IF NOT _is_ascii THEN
        _text := normalize(_text, NFKC); -- also half-width and full-width characters
    END IF;
    _separated := store_separated(_text);
    _detected := coalesce(store_language(_language, _separated), _language);
    RETURN (
        SELECT coalesce(array_to_tsvector(array_agg(lexeme)), '')
        FROM (
            SELECT lexeme, sum(octet_length(lexeme) + 5) OVER (ORDER BY min(n), lexeme) AS total
            FROM (
                SELECT store_folded(lexeme) AS lexeme, positions[1]::bigint AS n
                FROM unnest(to_tsvector(_detected, _separated))
                UNION ALL
                SELECT lexeme, positions[1]
                FROM unnest(CASE
                    WHEN NOT _is_ascii OR _detected <> _language THEN to_tsvector(_language, store_folded(_separated))
                END)
                UNION ALL
                SELECT ngram, 20000 + n -- after the words
                FROM store_ngrams(CASE WHEN NOT _is_ascii THEN _text END)
            ) AS extracted
            GROUP BY lexeme
        ) AS word
        WHERE total <= _bytes
    );
END $$;

CREATE TABLE checkpoint_blobs (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    channel text NOT NULL,
    version text NOT NULL,
    type text NOT NULL,
    blob bytea
);

CREATE TABLE checkpoint_migrations (
    v integer NOT NULL
);

CREATE TABLE checkpoint_writes (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    checkpoint_id text NOT NULL,
    task_id text NOT NULL,
    idx integer NOT NULL,
    channel text NOT NULL,
    type text,
    blob bytea NOT NULL,
    task_path text DEFAULT ''::text NOT NULL
);

CREATE TABLE checkpoints (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    checkpoint_id text NOT NULL,
    parent_checkpoint_id text,
    type text,
    checkpoint jsonb NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL
);

CREATE TABLE formation (
    user_id text NOT NULL,
    due_at timestamp with time zone,
    first_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    lease uuid,
    last_error text,
    set_aside integer DEFAULT 0 NOT NULL
);

CREATE TABLE installation (
    name text NOT NULL,
    value text NOT NULL
);

CREATE TABLE keepsake_migrations (
    name text NOT NULL
);

CREATE TABLE keys (
    user_id text NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT keys_hash_check CHECK ((length(hash) = 32))
);

CREATE TABLE messages (
    user_id text NOT NULL,
    id uuid NOT NULL,
    thread_id uuid NOT NULL,
    seq bigint NOT NULL,
    role text NOT NULL,
    text text NOT NULL,
    ts timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    reply_to uuid,
    memories jsonb,
    usage jsonb,
    enqueued boolean DEFAULT true NOT NULL,
    status text DEFAULT 'completed'::text NOT NULL,
    seen boolean DEFAULT true NOT NULL,
    withheld boolean DEFAULT false NOT NULL,
    finish_reason text DEFAULT 'stop'::text NOT NULL,
    copied_from uuid,
    rating text,
    rating_reason text,
    sources jsonb,
    model text,
    CONSTRAINT messages_finish_reason_check CHECK ((finish_reason = ANY (ARRAY['stop'::text, 'length'::text, 'content_filter'::text]))),
    CONSTRAINT messages_rating_check CHECK ((rating = ANY (ARRAY['up'::text, 'down'::text]))),
    CONSTRAINT messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text]))),
    CONSTRAINT messages_status_check CHECK ((status = ANY (ARRAY['completed'::text, 'cancelled'::text, 'failed'::text])))
);

ALTER TABLE messages ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME messages_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE open_streams (
    user_id text NOT NULL,
    id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE run_events (
    user_id text NOT NULL,
    run_id uuid NOT NULL,
    events integer NOT NULL,
    chars integer NOT NULL,
    name text NOT NULL,
    data jsonb NOT NULL
);

CREATE TABLE runs (
    user_id text NOT NULL,
    id uuid NOT NULL,
    thread_id uuid NOT NULL,
    message_id uuid NOT NULL,
    status text DEFAULT 'running'::text NOT NULL,
    busy_until timestamp with time zone NOT NULL,
    cancel_asked boolean DEFAULT false NOT NULL,
    began_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    stateless boolean DEFAULT false NOT NULL,
    CONSTRAINT runs_status_check CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'cancelled'::text, 'failed'::text])))
);

CREATE TABLE sessions (
    user_id text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT sessions_hash_check CHECK ((length(hash) = 32))
);

CREATE TABLE store (
    prefix text NOT NULL,
    key text NOT NULL,
    value jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamp with time zone,
    ttl_minutes integer
);

CREATE TABLE store_changes (
    prefix text NOT NULL,
    seq bigint NOT NULL,
    keys text[] NOT NULL,
    data jsonb NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE store_migrations (
    v integer NOT NULL
);

CREATE TABLE store_vectors (
    prefix text NOT NULL,
    key text NOT NULL,
    field_name text NOT NULL,
    embedding vector(384),
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP,
    near halfvec(384) GENERATED ALWAYS AS ((l2_normalize(embedding))::halfvec(384)) STORED,
    words tsvector,
    sequence text COLLATE pg_catalog."C",
    moment text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY store_vectors ALTER COLUMN prefix SET STORAGE PLAIN;
ALTER TABLE ONLY store_vectors ALTER COLUMN key SET STORAGE PLAIN;
ALTER TABLE ONLY store_vectors ALTER COLUMN field_name SET STORAGE PLAIN;
ALTER TABLE ONLY store_vectors ALTER COLUMN near SET STORAGE PLAIN;
ALTER TABLE ONLY store_vectors ALTER COLUMN words SET STORAGE PLAIN;
ALTER TABLE ONLY store_vectors ALTER COLUMN sequence SET STORAGE PLAIN;
ALTER TABLE ONLY store_vectors ALTER COLUMN moment SET STORAGE PLAIN;

COMMENT ON COLUMN store_vectors.words IS 'english 2';

CREATE TABLE threads (
    id uuid NOT NULL,
    user_id text NOT NULL,
    title text DEFAULT ''::text NOT NULL,
    temporary boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    title_is_draft boolean DEFAULT false NOT NULL,
    expires_at timestamp with time zone,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    pinned boolean DEFAULT false NOT NULL,
    archived boolean DEFAULT false NOT NULL,
    family_id uuid,
    parent_id uuid,
    branched_at integer,
    unlisted boolean DEFAULT false NOT NULL,
    CONSTRAINT threads_check CHECK ((temporary OR (expires_at IS NULL))),
    CONSTRAINT threads_metadata_check CHECK ((jsonb_typeof(metadata) = 'object'::text))
);

CREATE TABLE usage (
    user_id text NOT NULL,
    meter text NOT NULL,
    used bigint NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT usage_meter_check CHECK ((meter = ANY (ARRAY['requests'::text, 'messages'::text, 'tokens'::text, 'embedded_bytes'::text])))
)
WITH (fillfactor='50');

CREATE TABLE users (
    id text NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    memory_enabled boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    compaction_due_at timestamp with time zone DEFAULT now() NOT NULL,
    time_zone text,
    purge_at timestamp with time zone,
    CONSTRAINT users_id_check CHECK ((id ~ '^[a-z0-9_-]{1,64}$'::text))
);

CREATE TABLE vector_migrations (
    v integer NOT NULL
);

ALTER TABLE ONLY checkpoint_blobs
    ADD CONSTRAINT checkpoint_blobs_pkey PRIMARY KEY (thread_id, checkpoint_ns, channel, version);

ALTER TABLE ONLY checkpoint_migrations
    ADD CONSTRAINT checkpoint_migrations_pkey PRIMARY KEY (v);

ALTER TABLE ONLY checkpoint_writes
    ADD CONSTRAINT checkpoint_writes_pkey PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx);

ALTER TABLE ONLY checkpoints
    ADD CONSTRAINT checkpoints_pkey PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id);

ALTER TABLE ONLY formation
    ADD CONSTRAINT formation_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (name);

ALTER TABLE ONLY keepsake_migrations
    ADD CONSTRAINT keepsake_migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY keys
    ADD CONSTRAINT keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY keys
    ADD CONSTRAINT keys_pkey PRIMARY KEY (user_id, id);

ALTER TABLE ONLY messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (user_id, id);

ALTER TABLE ONLY open_streams
    ADD CONSTRAINT open_streams_pkey PRIMARY KEY (user_id, id);

ALTER TABLE ONLY run_events
    ADD CONSTRAINT run_events_pkey PRIMARY KEY (user_id, run_id, events, chars);

ALTER TABLE ONLY runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (user_id, id);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_hash_key UNIQUE (hash);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (user_id, hash);

ALTER TABLE ONLY store_changes
    ADD CONSTRAINT store_changes_pkey PRIMARY KEY (prefix, seq);

ALTER TABLE ONLY store_migrations
    ADD CONSTRAINT store_migrations_pkey PRIMARY KEY (v);

ALTER TABLE ONLY store
    ADD CONSTRAINT store_pkey PRIMARY KEY (prefix, key);

ALTER TABLE ONLY store_vectors
    ADD CONSTRAINT store_vectors_pkey PRIMARY KEY (prefix, key, field_name);

ALTER TABLE ONLY threads
    ADD CONSTRAINT threads_pkey PRIMARY KEY (id);

ALTER TABLE ONLY threads
    ADD CONSTRAINT threads_user_id_id_key UNIQUE (user_id, id);

ALTER TABLE ONLY usage
    ADD CONSTRAINT usage_pkey PRIMARY KEY (user_id, meter);

ALTER TABLE ONLY users
    ADD CONSTRAINT users_issuer_subject_key UNIQUE (issuer, subject);

ALTER TABLE ONLY users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY vector_migrations
    ADD CONSTRAINT vector_migrations_pkey PRIMARY KEY (v);

CREATE INDEX checkpoint_blobs_of_user ON checkpoint_blobs USING btree (thread_id text_pattern_ops);

CREATE INDEX checkpoint_blobs_thread_id_idx ON checkpoint_blobs USING btree (thread_id);

CREATE INDEX checkpoint_writes_of_user ON checkpoint_writes USING btree (thread_id text_pattern_ops);

CREATE INDEX checkpoint_writes_thread_id_idx ON checkpoint_writes USING btree (thread_id);

CREATE INDEX checkpoints_of_user ON checkpoints USING btree (thread_id text_pattern_ops);

CREATE INDEX checkpoints_thread_id_idx ON checkpoints USING btree (thread_id);

CREATE INDEX formation_due ON formation USING btree (due_at);

CREATE INDEX idx_store_expires_at ON store USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX messages_copied ON messages USING btree (user_id, copied_from) WHERE (copied_from IS NOT NULL);

CREATE INDEX messages_of_thread ON messages USING btree (user_id, thread_id, seq);

CREATE INDEX messages_to_enqueue ON messages USING btree (user_id) WHERE (NOT enqueued);

CREATE INDEX messages_unseen ON messages USING btree (user_id, thread_id) WHERE (NOT seen);

CREATE UNIQUE INDEX one_reply_a_message ON messages USING btree (user_id, reply_to) WHERE (reply_to IS NOT NULL);

CREATE UNIQUE INDEX one_run_a_thread ON runs USING btree (user_id, thread_id) WHERE ((status = 'running'::text) AND (NOT stateless));

CREATE INDEX open_streams_expired ON open_streams USING btree (expires_at);

CREATE INDEX runs_ended ON runs USING btree (ended_at) WHERE (status <> 'running'::text);

CREATE INDEX runs_going ON runs USING btree (busy_until) WHERE (status = 'running'::text);

CREATE INDEX runs_of_thread ON runs USING btree (user_id, thread_id, began_at);

CREATE INDEX store_prefix_idx ON store USING btree (prefix text_pattern_ops);

CREATE INDEX store_vectors_together ON store_vectors USING btree (prefix text_pattern_ops, sequence, moment, key) INCLUDE (field_name, near, words);

CREATE INDEX store_vectors_wordless ON store_vectors USING btree (prefix, key, field_name) WHERE (words IS NULL);

CREATE INDEX threads_listed ON threads USING btree (user_id, updated_at DESC, id DESC) WHERE (NOT unlisted);

CREATE INDEX threads_of_family ON threads USING btree (user_id, COALESCE(family_id, id), updated_at);

CREATE INDEX threads_temporary ON threads USING btree (expires_at, updated_at) WHERE temporary;

CREATE INDEX threads_unlisted ON threads USING btree (updated_at) WHERE unlisted;

CREATE INDEX usage_ended ON usage USING btree (ends_at);

CREATE INDEX users_compaction ON users USING btree (compaction_due_at) WHERE memory_enabled;

CREATE INDEX users_purge ON users USING btree (purge_at) WHERE (purge_at IS NOT NULL);

ALTER TABLE ONLY formation
    ADD CONSTRAINT formation_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY keys
    ADD CONSTRAINT keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY messages
    ADD CONSTRAINT messages_user_id_thread_id_fkey FOREIGN KEY (user_id, thread_id) REFERENCES threads(user_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY open_streams
    ADD CONSTRAINT open_streams_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY run_events
    ADD CONSTRAINT run_events_user_id_run_id_fkey FOREIGN KEY (user_id, run_id) REFERENCES runs(user_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY runs
    ADD CONSTRAINT runs_user_id_thread_id_fkey FOREIGN KEY (user_id, thread_id) REFERENCES threads(user_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY store_vectors
    ADD CONSTRAINT store_vectors_prefix_key_fkey FOREIGN KEY (prefix, key) REFERENCES store(prefix, key) ON DELETE CASCADE;

ALTER TABLE ONLY threads
    ADD CONSTRAINT threads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY usage
    ADD CONSTRAINT usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE checkpoint_blobs ENABLE ROW LEVEL SECURITY;

ALTER TABLE checkpoint_writes ENABLE ROW LEVEL SECURITY;

ALTER TABLE checkpoints ENABLE ROW LEVEL SECURITY;

ALTER TABLE formation ENABLE ROW LEVEL SECURITY;

ALTER TABLE keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE messages ENABLE ROW LEVEL SECURITY;

ALTER TABLE open_streams ENABLE ROW LEVEL SECURITY;

CREATE POLICY own_rows ON checkpoint_blobs TO keepsake_user USING (((thread_id ~>=~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '/'::text)) AND (thread_id ~<~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '0'::text)))) WITH CHECK (((thread_id ~>=~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '/'::text)) AND (thread_id ~<~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '0'::text))));

CREATE POLICY own_rows ON checkpoint_writes TO keepsake_user USING (((thread_id ~>=~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '/'::text)) AND (thread_id ~<~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '0'::text)))) WITH CHECK (((thread_id ~>=~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '/'::text)) AND (thread_id ~<~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '0'::text))));

CREATE POLICY own_rows ON checkpoints TO keepsake_user USING (((thread_id ~>=~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '/'::text)) AND (thread_id ~<~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '0'::text)))) WITH CHECK (((thread_id ~>=~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '/'::text)) AND (thread_id ~<~ (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring") || '0'::text))));

CREATE POLICY own_rows ON formation TO keepsake_user USING ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring"))) WITH CHECK ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring")));

CREATE POLICY own_rows ON keys TO keepsake_user USING ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring"))) WITH CHECK ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring")));

CREATE POLICY own_rows ON messages TO keepsake_user USING ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring"))) WITH CHECK ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring")));

CREATE POLICY own_rows ON open_streams TO keepsake_user USING ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring"))) WITH CHECK ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring")));

CREATE POLICY own_rows ON run_events TO keepsake_user USING ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring"))) WITH CHECK ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring")));

CREATE POLICY own_rows ON runs TO keepsake_user USING ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring"))) WITH CHECK ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring")));

CREATE POLICY own_rows ON sessions TO keepsake_user USING ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring"))) WITH CHECK ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring")));

CREATE POLICY own_rows ON store TO keepsake_user USING (((prefix = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring")) OR starts_with(prefix, (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring") || '.'::text)))) WITH CHECK (((prefix = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring")) OR starts_with(prefix, (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring") || '.'::text))));

CREATE POLICY own_rows ON store_changes TO keepsake_user USING (((prefix = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring")) OR starts_with(prefix, (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring") || '.'::text)))) WITH CHECK (((prefix = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring")) OR starts_with(prefix, (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring") || '.'::text))));

CREATE POLICY own_rows ON store_vectors TO keepsake_user USING (((prefix = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring")) OR starts_with(prefix, (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring") || '.'::text)))) WITH CHECK (((prefix = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring")) OR starts_with(prefix, (( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^[^.]+[.][^.]+$'::text) AS "substring") || '.'::text))));

CREATE POLICY own_rows ON threads TO keepsake_user USING ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring"))) WITH CHECK ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring")));

CREATE POLICY own_rows ON usage TO keepsake_user USING ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring"))) WITH CHECK ((user_id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring")));

CREATE POLICY own_rows ON users TO keepsake_user USING ((id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring"))) WITH CHECK ((id = ( SELECT "substring"(current_setting('keepsake.owner'::text, true), '^users[.]([^.]+)$'::text) AS "substring")));

ALTER TABLE run_events ENABLE ROW LEVEL SECURITY;

ALTER TABLE runs ENABLE ROW LEVEL SECURITY;

ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;

ALTER TABLE store ENABLE ROW LEVEL SECURITY;

ALTER TABLE store_changes ENABLE ROW LEVEL SECURITY;

ALTER TABLE store_vectors ENABLE ROW LEVEL SECURITY;

ALTER TABLE threads ENABLE ROW LEVEL SECURITY;

ALTER TABLE usage ENABLE ROW LEVEL SECURITY;

ALTER TABLE users ENABLE ROW LEVEL SECURITY;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpoint_blobs TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpoint_writes TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpoints TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE formation TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE keys TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE messages TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE open_streams TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE run_events TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE runs TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE sessions TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE store TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE store_changes TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE store_vectors TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE threads TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE usage TO keepsake_user;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE users TO keepsake_user;
