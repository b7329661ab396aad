"""The sets for formation, in `formation_sets/*.jsonl`; see formation.md."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from .tip_sets import SPLITS, Split

FOLDER = Path(__file__).parent / "formation_sets"
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class UserRows:
    """The rows of one user, in order."""

    split: Split
    name: str
    rows: Sequence[Row]

    @property
    def language(self) -> str:
        """`en`, or another language; `xx` for several."""
        return str(self.rows[0]["language"])


def rows(name: str) -> list[tuple[Split, Row]]:
    """The rows of a set, each with its half."""
    return [(split, row) for split in SPLITS for row in _read(name, split)]


def users(name: str) -> list[UserRows]:
    """The rows of a set by user."""
    return [
        UserRows(split, user, list(group))
        for split in SPLITS
        for user, group in groupby(_read(name, split), key=lambda row: str(row["user"]))
    ]


def _read(name: str, split: Split) -> list[Row]:
    lines = (FOLDER / f"{name}_{split}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
