"""The question sets of the memory tip, in `tip_sets/*.jsonl`; see README.md."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Split = Literal["tuning", "held_back"]
SPLITS: tuple[Split, ...] = ("tuning", "held_back")
FOLDER = Path(__file__).parent / "tip_sets"
LANGUAGES = {"de": "German", "es": "Spanish", "zh": "Chinese"}
USERS = ("en", "de")
"""The users of `user.jsonl`, by the language in which they write."""


@dataclass(frozen=True, slots=True)
class Matter:
    """A fact, and a later message for which it matters; `needle` occurs in the fact, in lower case."""

    split: Split
    fact: str
    question: str
    needle: str
    standing: bool
    """True if a fact of this kind matters for every message."""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Unrelated:
    """A message that no memory concerns."""

    split: Split
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Needed:
    """A message for which a memory of a user with many memories matters."""

    split: Split
    user: str
    question: str
    needle: str


@dataclass(frozen=True, slots=True)
class Change:
    """Two statements on one subject, of which the newer holds, and a question about it."""

    split: Split
    older: str
    newer: str
    question: str
    needle_old: str
    needle_new: str


@dataclass(frozen=True, slots=True)
class StandingSet:
    """Memories that every prompt contains, and messages."""

    memories: tuple[tuple[str, str], ...]
    """(kind, text)"""
    messages: tuple[str, ...]


def matters() -> list[Matter]:
    """English facts and questions."""
    return [_matter(row) for row in _rows("matters")]


def languages() -> list[Matter]:
    """Facts and questions in other languages."""
    return [_matter(row) for row in _rows("languages")]


def unrelated() -> list[Unrelated]:
    """Messages in several languages."""
    return [Unrelated(**row) for row in _rows("unrelated")]


def statements(user: str) -> list[str]:
    """What a user with many memories has said."""
    return [row["memory"] for row in _rows("user") if row["user"] == user and "memory" in row]


def needed(user: str) -> list[Needed]:
    """Questions of a user with many memories; none of them needs a memory that is in every prompt."""
    return [Needed(**row) for row in _rows("user") if row["user"] == user and "question" in row]


def changes() -> list[Change]:
    """Statements that change an earlier one."""
    return [Change(**{key: value for key, value in row.items() if key != "voice"}) for row in _rows("truth")]


def thread() -> list[str]:
    """The messages of one varied thread."""
    return [row["text"] for row in _rows("thread")]


def standing() -> StandingSet:
    """Procedural and other standing memories."""
    rows = list(_rows("standing"))
    memories = tuple((row["kind"], row["text"]) for row in rows if "kind" in row)
    return StandingSet(memories, tuple(row["message"] for row in rows if "message" in row))


def _matter(row: dict[str, Any]) -> Matter:
    return Matter(**{key: value for key, value in row.items() if key not in {"voice", "topic"}})


def _rows(name: str) -> Iterator[dict[str, Any]]:
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
