"""The documentation refers only to files that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE_ROOTS = (ROOT, ROOT / "apps/agent/src", ROOT / "apps/gateway/src")
PATH = re.compile(r"\b(?:agent|gateway|apps|bench|docs|tests)/[\w./-]*\w")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
PAGES = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")))


def test_paths_in_the_architecture_exist() -> None:
    paths = set(PATH.findall((ROOT / "docs/architecture.md").read_text()))
    assert len(paths) > 30
    assert [path for path in sorted(paths) if not any((root / path).exists() for root in SOURCE_ROOTS)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_exist(page: Path) -> None:
    links = LINK.findall(page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []
