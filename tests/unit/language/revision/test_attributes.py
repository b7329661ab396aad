"""Each change of an attribute makes each earlier statement of it untrue, and no statement of another attribute."""

import tomllib
from pathlib import Path

import pytest

from agent.language.revision.contradictions import contradicts

STATED_AT = "2026-11-05T10:00:00+00:00"
ATTRIBUTES = {
    name: (texts["statements"].splitlines(), texts["changes"].splitlines())
    for name, texts in tomllib.loads(Path(__file__).with_name("attributes.toml").read_text(encoding="utf-8")).items()
}
RELATED = [
    {"car", "way to work"},
    {"employer", "search for work"},
    {"home", "children"},
    {"home", "rented home"},
    {"partner", "engagement"},
    {"partner", "pregnancy"},
    {"rent", "rented home"},
]
"""Attributes of which one may change with the other."""


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_each_change_concerns_each_statement_of_the_attribute(attribute: str) -> None:
    statements, changes = ATTRIBUTES[attribute]
    missed = [(old, new) for old in statements for new in changes if not _is_outdated(old, new)]
    assert (bool(statements), missed) == (True, [])


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_a_change_concerns_no_other_attribute(attribute: str) -> None:
    related = {attribute}.union(*(names for names in RELATED if attribute in names))
    others = [old for name, (statements, _) in ATTRIBUTES.items() if name not in related for old in statements]
    lost = [(old, new) for new in ATTRIBUTES[attribute][1] for old in others if _is_outdated(old, new)]
    assert lost == []


def _is_outdated(old: str, new: str) -> bool:
    return contradicts(f"{new}.", f"{old}.", stated_at=STATED_AT)
