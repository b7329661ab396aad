"""What an export of another application contains: memories that it formed, and messages that its user wrote."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

Record = Mapping[str, Any]
"""An element of an export."""


@dataclass(frozen=True, slots=True)
class ForeignMemory:
    """A memory in the words of the application."""

    text: str
    ts: str | None = None
    """ISO-8601 in UTC; None if unknown."""


@dataclass(frozen=True, slots=True)
class ForeignMessage:
    """A message in the words of the user."""

    id: str
    conversation: str
    text: str
    ts: str
    answer: str = ""
    """The reply to it."""


Entry = ForeignMemory | ForeignMessage
Entries = Iterator[Entry]


def to_utc(time: object) -> str | None:
    """Convert seconds since 1970, or ISO-8601, to ISO-8601 in UTC; None if it is neither. UTC is assumed."""
    try:
        if isinstance(time, int | float) and not isinstance(time, bool):
            return datetime.fromtimestamp(time, UTC).isoformat()
        if isinstance(time, str):
            parsed = datetime.fromisoformat(time)
            return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        pass
    return None


def text_of(value: object) -> str:
    """A value if it is a text, otherwise an empty one."""
    return value if isinstance(value, str) else ""


def list_of(value: object) -> list[Any]:
    """A value if it is a list, otherwise an empty one."""
    return value if isinstance(value, list) else []


def record_of(value: object) -> Record:
    """A value if it is an object, otherwise an empty one."""
    return value if isinstance(value, dict) else {}
