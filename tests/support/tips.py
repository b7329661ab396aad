"""Hits for tips, and the lines of the tips that were written from them."""

from collections.abc import Sequence
from typing import Any

from agent.memory.recall.tip import HEADER, RECALLED_HEADER, TipBudget
from agent.types import Hit, HitKind, RecallResult

LARGE_BUDGET = TipBudget(max_chars=5_000)
WORDS = "word " * 8


def make_hit(text: str, kind: HitKind = "user", *, hit_id: str = "", **fields: Any) -> Hit:  # noqa: ANN401 - any field
    """A hit with its text as the id."""
    values: dict[str, Any] = {
        "id": hit_id or text,
        "kind": kind,
        "text": text,
        "score": 0.5,
        "source_thread": "t",
        "ts": "",
    }
    return Hit(**values | fields)


def make_hits(texts: Sequence[str | Hit]) -> tuple[Hit, ...]:
    return tuple(make_hit(text) if isinstance(text, str) else text for text in texts)


def recalled(*hits: str | Hit) -> RecallResult:
    """Hits that concern the message."""
    return RecallResult(hits=make_hits(hits))


def standing(*hits: str | Hit) -> RecallResult:
    """Hits that matter for every message."""
    return RecallResult(standing=make_hits(hits))


def bullets(text: str) -> list[str]:
    """The lines of a part that show a memory."""
    assert not text or text.startswith((HEADER, RECALLED_HEADER))
    return [line for line in text.splitlines() if line.startswith("- ")]


def hit_texts(hits: Sequence[dict[str, Any]]) -> list[str]:
    """The texts of the memories of a tip."""
    return [hit["text"] for hit in hits]
