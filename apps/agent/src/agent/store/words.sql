-- The words of texts and queries: stems, and n-grams where a script does not separate words; all without accents.
-- A text has the stems of its own language and those of the configured one. So has a query: both match even if their
-- languages are detected differently, or not at all.

-- name: folded
-- Convert a text to lower case, without accents of Latin, Greek and Cyrillic letters; other scripts need their marks.
CREATE OR REPLACE FUNCTION store_folded(body text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET plan_cache_mode = 'force_generic_plan' AS $$
BEGIN
    IF octet_length(body) = length(body) THEN
        RETURN lower(body);
    END IF;
    RETURN replace(replace(replace(translate(normalize(
        regexp_replace(normalize(lower(body), NFD), '([a-zα-ωе])[\u0300-\u036f]+', '\1', 'g'), NFC
    ), 'øłđıς', 'oldiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
END $$;

-- name: ngrams
-- List the n-grams of scripts without spaces, and of Korean, whose words end with particles: trigrams of Thai, Lao,
-- Burmese and Khmer, otherwise bigrams. Those at the end of a run are shorter, so that each character starts one.
CREATE OR REPLACE FUNCTION store_ngrams(body text) RETURNS TABLE (ngram text, size int, run_size int, n bigint)
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
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

-- name: separated
-- Replace the characters of which store_ngrams() lists n-grams by spaces.
CREATE OR REPLACE FUNCTION store_separated(body text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(body) = length(body) THEN body ELSE regexp_replace(
        body,
        '[\u3005\u3007\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff'
            '\U00020000-\U0003ffff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+',
        ' ', 'g'
    ) END
$$;

-- name: is_ngram
-- Check whether a word of a query is an n-gram.
CREATE OR REPLACE FUNCTION store_is_ngram(word tsquery) RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT store_separated(word::text) <> word::text
$$;

-- name: quoted
-- Quote a lexeme for a tsquery.
CREATE OR REPLACE FUNCTION store_quoted(lexeme text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''''
$$;

-- name: language
-- Detect the language of a text: by its script, or by the number of stop words among its first 400 characters.
-- It is NULL for a Latin text without stop words; equal numbers favour the configured language.
CREATE OR REPLACE FUNCTION store_language(_configured regconfig, body text) RETURNS regconfig
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET plan_cache_mode = 'force_generic_plan' AS $$
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

-- name: words
-- Extract the distinct words of a text, the first ones up to a number of bytes: an index row is limited to 2.7 kB.
CREATE OR REPLACE FUNCTION store_words(_language regconfig, _body text, _bytes int) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET plan_cache_mode = 'force_generic_plan' AS $$
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

-- name: query
-- Extract up to 12 words of a query with their alternatives, first the longest ones, which are the rarest; no stop words.
-- A query without stop words may be in any of the most frequent languages. Of many n-grams, some at equal distances are
-- taken; those of function words are left out, and Hiragana, which is mostly inflection, comes last.
CREATE OR REPLACE FUNCTION store_query(_language regconfig, _body text) RETURNS tsquery[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET plan_cache_mode = 'force_generic_plan' AS $$
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
END $$;
