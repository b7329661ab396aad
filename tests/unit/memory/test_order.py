"""The order of hits: newer statements before those that they may replace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.memory.recall.order import Statement, concerns, newer_first, words
from agent.types import Hit


def _hit(text: str, ts: str = "2026-01-01", last_seen: str = "") -> Hit:
    return Hit(text, "user", text, None, "", ts, last_seen)


def _updates(new: Hit, old: Hit) -> bool:
    return Statement.of(new).updates(Statement.of(old))


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ("Sold the car", "Has a Tesla car", True),
        ("Sold the car", "Likes jazz", False),
        ("Drives cars", "Drove a carriage", False),
        ("Visits museums in Rome often", "Lives in Rome near station", False),
        ("Plays chess, golf", "Plays chess, cards", True),
        ("Likes it", "Likes them", False),
        ("", "", False),
    ],
)
def test_a_newer_hit_about_the_same_subject_updates_an_older_one(new: str, old: str, *, expected: bool) -> None:
    assert _updates(_hit(new, "2026-01-02"), _hit(old)) is expected
    assert not _updates(_hit(new), _hit(old))
    assert not _updates(_hit(new), _hit(old, "2026-01-02"))
    assert _updates(_hit(new, "2025-01-01", "2026-01-02"), _hit(old)) is expected
    assert not _updates(_hit(new, "2026-01-02"), _hit(old, "2025-01-01", "2026-01-03"))


def test_the_newest_statement_about_a_subject_comes_first() -> None:
    ordered = newer_first(
        [
            _hit("Likes jazz"),
            _hit("Has a red car", "2026-01-01"),
            _hit("Plays chess"),
            _hit("Sold the car", "2026-01-03"),
            _hit("Washed the car", "2026-01-02"),
        ]
    )
    assert [hit.text for hit in ordered] == [
        "Likes jazz",
        "Sold the car",
        "Washed the car",
        "Has a red car",
        "Plays chess",
    ]


@given(st.lists(st.builds(_hit, st.sampled_from(["a car", "car sold", "jazz", ""]), st.sampled_from(["1", "2", "3"]))))
def test_reordering_keeps_every_hit(hits: list[Hit]) -> None:
    assert sorted(newer_first(hits), key=repr) == sorted(hits, key=repr)


def test_words_are_stems_of_significant_words() -> None:
    assert words("The CHILDREN's child is at a 7th school_yard, and we like it") == {"chil", "7th", "scho", "yard"}
    assert words("übermütige Größe 我们") == {"über", "grös"}


def test_a_text_concerns_a_message_with_a_common_significant_word() -> None:
    assert concerns("Moved to another house.", "What colour is my HOUSE?")
    assert not concerns("Moved to a house and likes it.", "What do I like about that?")
