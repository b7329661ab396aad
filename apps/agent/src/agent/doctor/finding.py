"""What a check has found."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.settings import AgentSettings

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, and, unless it is well, what to do."""

    level: Level
    subject: str
    message: str


Check = Callable[[AsyncConnection[DictRow], AgentSettings], Awaitable[list[Finding]]]
"""What looks at a database, in a read-only transaction; it finds at least one thing to say."""


def ok(subject: str, message: str) -> Finding:
    """It is well."""
    return Finding("ok", subject, message)


def warning(subject: str, message: str) -> Finding:
    """It works, and something should be done."""
    return Finding("warning", subject, message)


def problem(subject: str, message: str) -> Finding:
    """It does not work, or is not safe."""
    return Finding("problem", subject, message)
