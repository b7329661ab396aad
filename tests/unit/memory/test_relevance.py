"""Relevance: the minimum rank, its causes, and the order of results."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from langgraph.store.base import SearchItem

from agent.memory.recall.calibration import Calibration
from agent.memory.recall.relevance import (
    EXPIRED_PENALTY,
    NEAR_BEST_RANK,
    NEAR_BEST_SIMILARITY,
    QUESTION_PENALTY,
    by_weight,
    rank_of,
    select_relevant,
)
from agent.store.search import CENTRING, MEAN_SAMPLE_ROWS
from support.memory_stores import ranked_item

NOW = datetime.now(UTC)
TS = NOW.isoformat()
OTHER, PERSONAL = "What is the capital of Norway?", "What should I cook?"
NO_EXAMPLES = np.zeros((0, 0), np.float32)
UNRELATED = Calibration(0.0, 1.0, NO_EXAMPLES, NO_EXAMPLES)
"""Floors are shares of 1."""


def _item(text: str, score: float | None, rank: float | None = None, **value: Any) -> SearchItem:  # noqa: ANN401 - any
    item = SearchItem(("inbox",), text, {"text": text, "ts": TS, **value}, NOW, NOW, score)
    return item if rank is None else ranked_item(item, rank)


def _relevant(*items: SearchItem, message: str = OTHER, calibration: Calibration = UNRELATED) -> list[str]:
    [selected] = select_relevant([items], message, calibration, limit=24)
    return [one.item.key for one in selected]


def _floor(calibration: Calibration = UNRELATED, *, personal: bool = False, rows: int = 1) -> float:
    sampled = min(rows, MEAN_SAMPLE_ROWS)
    return calibration.floor(personal=personal, rows=sampled, centring=CENTRING * sampled / (sampled + 10))


@pytest.mark.parametrize(
    ("message", "personal"), [(PERSONAL, True), (OTHER, False), ("I cooked for my sister.", False)]
)
def test_the_minimum_depends_on_whether_a_question_concerns_the_user(message: str, *, personal: bool) -> None:
    floor = _floor(personal=personal)
    assert _relevant(_item("just", floor + 0.001), message=message) == ["just"]
    assert _relevant(_item("below", floor - 0.001), message=message) == []


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Melanie: Luna and Oliver!", 0.0),
        ("What are their names?", 1.0),
        ("Was wurde daraus?! Und wann?", 1.0),
        ("它们叫什么名字\uff1f", 1.0),
        ("We got a cat in May. Do you like them?", 0.47),
    ],
)
def test_a_text_ranks_lower_the_more_of_it_is_questions(text: str, asked: float) -> None:
    rank = rank_of(_item(text, 0.5, rank=0.8), NOW)
    assert rank == pytest.approx(0.8 * (1 - QUESTION_PENALTY * asked), abs=0.005)


def test_the_answer_ranks_before_its_question() -> None:
    question, answer = _item("What are your pets' names?", 0.8, 0.9), _item("Luna and Oliver! So sweet.", 0.8, 0.6)
    assert _relevant(question, answer) == [answer.key, question.key]


@pytest.mark.parametrize("rows", [1, MEAN_SAMPLE_ROWS, MEAN_SAMPLE_ROWS + 5])
def test_the_minimum_is_lower_the_more_of_the_mean_the_store_subtracts(rows: int) -> None:
    calibration = Calibration(0.5, 0.6, NO_EXAMPLES, NO_EXAMPLES)
    floor = _floor(calibration, rows=rows)
    items = [_item(str(n), floor + (0.001 if n % 2 else -0.001)) for n in range(rows)]
    assert len(_relevant(*items, calibration=calibration)) == rows // 2


def test_the_rows_of_all_kinds_count_for_the_mean() -> None:
    calibration = Calibration(0.5, 0.6, NO_EXAMPLES, NO_EXAMPLES)
    floor = _floor(calibration, rows=4)
    kinds = [[_item("a", floor + 0.001), _item("b", floor - 0.001)]] * 2
    assert [[one.item.key for one in items] for items in select_relevant(kinds, OTHER, calibration, limit=24)] == [
        ["a"],
        ["a"],
    ]


def test_every_hit_needs_a_share_of_the_best_rank_of_all_kinds() -> None:
    limit = 2 * NEAR_BEST_RANK
    low, high = _item("low", 0.1, limit - 0.001), _item("high", 0.1, limit + 0.001)
    kinds = select_relevant([[low, high], [_item("best", 1.0, 2.0)]], OTHER, UNRELATED, limit=24)
    assert [[one.item.key for one in items] for items in kinds] == [["high"], ["best"]]
    assert [[one.rank for one in items] for items in kinds] == [[limit + 0.001], [2.0]]


def test_a_hit_of_low_rank_needs_a_share_of_the_best_similarity() -> None:
    limit = 0.9 * NEAR_BEST_SIMILARITY
    low, high = _item("low", limit - 0.001, 0.1), _item("high", limit + 0.001, 0.1)
    kinds = select_relevant([[low, high], [_item("best", 0.9, 2.0)]], OTHER, UNRELATED, limit=24)
    assert [[one.item.key for one in items] for items in kinds] == [["high"], ["best"]]


def test_hits_found_by_words_alone_are_kept_and_set_no_standard() -> None:
    assert _relevant(_item("words", None, 9.0), _item("vector", 0.6), _item("none", None)) == [
        "words",
        "vector",
        "none",
    ]


def test_small_talk_concerns_no_memory() -> None:
    assert select_relevant([[_item("a", 1.0)], [_item("b", None)]], "Hello there!", UNRELATED, limit=24) == [[], []]


def test_hits_are_ordered_by_the_rank_of_the_store_and_kept_by_rank_or_score() -> None:
    items = [_item("rank", 0.1, 0.9), _item("score", 0.9, 0.2), _item("neither", 0.3, 0.3)]
    assert _relevant(*items) == ["rank", "score"]


@pytest.mark.parametrize(("fields", "factor"), [
    ({"confidence": 0.5}, 0.75),
    ({"confidence": 0.5, "type": "user"}, 0.75),
    ({"confidence": 0.5, "type": "episodic"}, 1.0),
    ({"confidence": 1.0, "last_seen": (NOW - timedelta(weeks=20)).isoformat()}, 0.9),
    ({"confidence": 1.0, "ts": (NOW - timedelta(weeks=20)).isoformat()}, 0.9),
    ({"confidence": 1.0, "ts": "2000-01-01"}, 0.5),
    ({"confidence": 1.0, "ts": "2000-01-01", "last_seen": TS}, 1.0),
    ({"until": "2020-01-01"}, EXPIRED_PENALTY),
    ({"until": NOW.date().isoformat()}, 1.0),
    ({"confidence": 0.5, "until": "2020-01-01"}, 0.75 * EXPIRED_PENALTY),
])  # fmt: skip
def test_doubtful_old_and_expired_facts_rank_lower(fields: dict[str, Any], factor: float) -> None:
    [[one]] = select_relevant([[_item("a", 0.9, 0.8, **fields)]], OTHER, UNRELATED, limit=24)
    assert one.rank == pytest.approx(0.8 * factor, rel=1e-3)


def test_an_expired_memory_follows_a_current_one() -> None:
    assert _relevant(_item("old", 0.9, until="2020-01-01"), _item("new", 0.6)) == ["new", "old"]


def test_a_pending_correction_of_a_relevant_memory_is_relevant() -> None:
    pending = {"text": "We broke up.", "ts": "2026-01-02"}
    married = SearchItem(("user",), "old", {"text": "Is married to Ana", "ts": "2026-01-01"}, NOW, NOW, 0.9)
    correction = SearchItem(("inbox",), "new", pending, NOW, NOW, 0.0)
    other = SearchItem(("inbox",), "other", {**pending, "text": "We broke the lamp."}, NOW, NOW, 0.0)
    selected = select_relevant([[married], [correction, other]], OTHER, UNRELATED, limit=10)
    assert [[one.item.key for one in items] for items in selected] == [["old"], ["new"]]


def test_the_weight_is_confidence_then_confirmations_then_time() -> None:
    week_ago = (NOW - timedelta(weeks=1)).isoformat()
    items = [
        _item("e", None, confidence=0.8, ts="2999-01-01"),
        _item("d", None, confidence=0.8, confirmed=2, ts=(NOW - timedelta(days=1)).isoformat()),
        _item("f", None, confidence=0.8),
        _item("c", None),
        _item("b", None, confidence=0.95, last_seen=week_ago),
        _item("a", None, confidence=0.95, ts=week_ago, last_seen=TS),
    ]
    assert [item.key for item in by_weight(items)] == ["a", "b", "c", "d", "e", "f"]
