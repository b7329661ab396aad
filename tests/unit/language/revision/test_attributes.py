"""Each change of an attribute makes each earlier statement of it untrue, and no statement of another attribute."""

import tomllib
from pathlib import Path

import pytest

from agent.language.revision.contradictions import contradicts

STATED_AT = "2026-11-05T10:00:00+00:00"
FILES = {path.stem.removeprefix("attributes_"): path for path in Path(__file__).parent.glob("attributes_*.toml")}
LANGUAGES = {
    language: {
        name: (texts["statements"].splitlines(), texts["changes"].splitlines())
        for name, texts in tomllib.loads(path.read_text(encoding="utf-8")).items()
    }
    for language, path in sorted(FILES.items())
}
"""The attributes of each language."""
ATTRIBUTES = [(language, name) for language, attributes in LANGUAGES.items() for name in attributes]
COMPATIBLE = tomllib.loads(Path(__file__).with_name("compatible.toml").read_text(encoding="utf-8"))
RELATED = [
    {"car", "way to work"},
    {"employer", "search for work"},
    {"children", "pregnancy"},
    {"home", "children"},
    {"home", "rented home"},
    {"home", "flatmate"},
    {"home", "floor"},
    {"living alone", "flatmate"},
    {"gym", "gym membership"},
    {"department", "employer"},
    {"department", "search for work"},
    {"pregnancy", "sex of the baby"},
    {"children", "sex of the baby"},
    {"studies", "subject of studies"},
    {"living with others", "flatmate"},
    {"living with others", "rented home"},
    {"partner", "engagement"},
    {"partner", "pregnancy"},
    {"rent", "rented home"},
]
"""Attributes of which one may change with the other."""


@pytest.mark.parametrize(("language", "attribute"), ATTRIBUTES)
def test_each_change_concerns_each_statement_of_the_attribute(language: str, attribute: str) -> None:
    statements, changes = LANGUAGES[language][attribute]
    missed = [(old, new) for old in statements for new in changes if not _is_outdated(old, new)]
    assert (bool(statements), missed) == (True, [])


@pytest.mark.parametrize(("language", "attribute"), ATTRIBUTES)
def test_a_change_concerns_no_other_attribute(language: str, attribute: str) -> None:
    attributes = LANGUAGES[language]
    related = {attribute}.union(*(names for names in RELATED if attribute in names))
    # The first two statements differ most in their words; all of them would take four times as long.
    others = [old for name, (statements, _) in attributes.items() if name not in related for old in statements[:2]]
    lost = [(old, new) for new in attributes[attribute][1] for old in others if _is_outdated(old, new)]
    assert lost == []


@pytest.mark.parametrize("language", COMPATIBLE)
def test_additions_wishes_and_changes_of_others_outdate_nothing(language: str) -> None:
    pairs = [line.split(" | ") for line in COMPATIBLE[language]["pairs"].splitlines()]
    assert [(old, new) for old, new in pairs if _is_outdated(old, new)] == []


@pytest.mark.parametrize("language", COMPATIBLE)
def test_a_message_about_something_else_outdates_no_attribute(language: str) -> None:
    statements = [old for texts, _ in LANGUAGES[language].values() for old in texts]
    messages = COMPATIBLE[language]["messages"].splitlines()
    assert [(old, new) for new in messages for old in statements if _is_outdated(old, new)] == []


def _is_outdated(old: str, new: str) -> bool:
    return contradicts(f"{new}.", f"{old}.", stated_at=STATED_AT)
