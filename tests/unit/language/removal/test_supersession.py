"""Statements in six languages that supersede an earlier one of the same form, and that do not."""

import json
from pathlib import Path

import pytest

from agent.language.removal.extent import contradicted_statements
from agent.language.revision.contradictions import contradicts

STATED_AT = "2026-11-05T10:00:00+00:00"
DATA = Path(__file__).parents[2] / "data"
MIN_SHARE_FOUND = 0.9


def _pairs(half: str, *, supersedes: bool) -> list[tuple[str, str]]:
    rows = map(json.loads, (DATA / f"supersession_{half}.jsonl").read_text(encoding="utf-8").splitlines())
    return [(row["old"], row["new"]) for row in rows if row["supersedes"] is supersedes]


@pytest.mark.parametrize("half", ["tuning", "held_back"])
def test_corrections_supersede_the_earlier_statement(half: str) -> None:
    pairs = _pairs(half, supersedes=True)
    found = [contradicts(new, old, stated_at=STATED_AT) for old, new in pairs]
    assert sum(found) >= MIN_SHARE_FOUND * len(pairs)


@pytest.mark.parametrize("half", ["tuning", "held_back"])
def test_statements_that_agree_with_the_earlier_one_supersede_nothing(half: str) -> None:
    assert not [pair for pair in _pairs(half, supersedes=False) if contradicts(pair[1], pair[0], stated_at=STATED_AT)]


def test_only_the_outdated_clause_of_a_sentence_is_superseded() -> None:
    old = "I have a garden. I live with Ana, and my choir practice is on Monday."
    new = "My choir practice is on Friday, not Monday."
    assert contradicted_statements(new, old, stated_at=STATED_AT) == ["my choir practice is on Monday."]
