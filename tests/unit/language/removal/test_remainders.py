"""What remains of earlier statements after newer ones, in everyday words."""

import tomllib
from pathlib import Path

import pytest

from agent.language.removal.remainder import remainder

STATED_AT = "2026-11-05T10:00:00+00:00"
ROWS = {
    group: [tuple(part.strip() for part in row.split("|")) for row in rows.splitlines()]
    for group, rows in tomllib.loads(Path(__file__).with_name("remainders.toml").read_text(encoding="utf-8")).items()
}


@pytest.mark.parametrize("group", ROWS)
def test_only_what_a_newer_statement_makes_untrue_is_removed(group: str) -> None:
    expected = {(old, new): old if rest == "=" else rest for old, new, rest in ROWS[group]}
    found = {(old, new): remainder(old, new, stated_at=STATED_AT).rstrip() for old, new in expected}
    assert found == expected
