"""A pattern is searched for in every text that it matches, and hardly in others."""

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from agent.language.pattern_files import lazy_patterns
from agent.language.prefilter import candidates, filter_bit, normalise
from support.required_literals import FILE, import_patterns, required_literals

TEXTS = [
    text
    for path in sorted((Path(__file__).parent / "revision").glob("attributes_*.toml"))
    for attribute in tomllib.loads(path.read_text(encoding="utf-8")).values()
    for texts in attribute.values()
    for text in texts.splitlines()
]
EVERY_NTH_TEXT = 80
ALL_CHARACTERS = "".join(map(chr, range(sys.maxunicode + 1)))


def test_no_match_is_lost() -> None:
    import_patterns()
    filtered = [(one, bit) for one in lazy_patterns() if (bit := filter_bit(one.pattern, one.flags))]
    lost = [
        (one.pattern[:80], text)
        for text in TEXTS[::EVERY_NTH_TEXT]
        for one, bit in filtered
        if not candidates(text) & bit and one.compiled.search(text)
    ]
    assert (len(filtered) > 700, lost) == (True, [])


def test_few_patterns_are_searched_for() -> None:
    listed = len(json.loads(FILE.read_text(encoding="utf-8")))
    found = [candidates(text).bit_count() for text in TEXTS[::EVERY_NTH_TEXT]]
    assert sum(found) / len(found) < 0.2 * listed


def test_letters_that_are_equal_without_case_are_normalised_to_the_same() -> None:
    cased = "".join(char for char in ALL_CHARACTERS if char.lower() != char or char.upper() != char)
    others = [char for char in cased if char != "\u0345"]  # a mark, which stands for a letter only without case
    different = [
        (char, other)
        for char in others
        for other in re.findall(re.escape(char), cased, re.IGNORECASE)
        if normalise(other) != normalise(char) and other != "\u0345"
    ]
    assert different == []


def test_only_what_is_no_part_of_a_word_becomes_a_space() -> None:
    parts_of_words = set(re.findall(r"\w", ALL_CHARACTERS))
    assert [char for char in ALL_CHARACTERS if normalise(char).startswith(" ") == (char in parts_of_words)] == []


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        (r"\bmoved to (?P<place>\w+)", [" moved to "]),
        (r"\b(?:moved|relocated) to \w+", [" moved to ", " relocated to "]),
        (r"colou?r", ["color", "colour"]),
        (r"caf[eé]s?\b", ["cafe ", "cafes ", "café ", "cafés "]),
        (r"(?:un)?happy\b", ["happy "]),
        (r"no,?\s{1,3}thanks", [" thanks"]),
        (r"\d+ (?:kilograms|pounds)", [" kilograms", " pounds"]),
        (r"(?=.*\bvegan\b)\w+", [" vegan "]),
        (r"(?<!not )vegan", ["vegan"]),
        (r"(?:never){2}", ["never"]),
        (r"(?:(?:is|was) )?allergic", ["allergic"]),
        (r"\b'tis\b", [" tis "]),
        (r"(?:\bfoo|bar\b)\b baz", [" foo baz", "bar baz"]),
        (r"\b(?:ai|bots?|model\w*)\b", [" ai ", " bot ", " bots ", " model"]),
        (r"\bmy (?:old \w+|dog)\b", [" my dog ", " my old "]),
        (r"\b(?:a|b|c|d|e|f|g|h|i)[1-3]\b", [" a", " b", " c", " d", " e", " f", " g", " h", " i"]),
        (r"İstanbul|ISPARTA", ["isparta", "istanbul"]),
        (r"Straße", ["strasse"]),
        (r"住在|搬到", ["住在", "搬到"]),
    ],
)
def test_every_match_contains_one_of_the_literals(pattern: str, literals: list[str]) -> None:
    assert required_literals(pattern, re.IGNORECASE) == literals


@pytest.mark.parametrize("pattern", [r"\w+", r"(?:vegan)?", r"vegan|\d+", r"[^a]", r"(?!vegan)"])
def test_a_pattern_without_rare_literals_is_always_searched_for(pattern: str) -> None:
    assert required_literals(pattern, re.IGNORECASE) is None
