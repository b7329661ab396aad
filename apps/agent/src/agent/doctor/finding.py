"""The result of a check."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.settings import AgentSettings

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One result; the message of a warning or problem says how to fix it."""

    level: Level
    subject: str
    message: str


Check = Callable[[AsyncConnection[DictRow], AgentSettings], Awaitable[list[Finding]]]
"""A check of one database, run in a read-only transaction; returns at least one finding."""


def ok(subject: str, message: str) -> Finding:
    """The check passed."""
    return Finding("ok", subject, message)


def warning(subject: str, message: str) -> Finding:
    """Keepsake works, but an operator should act."""
    return Finding("warning", subject, message)


def problem(subject: str, message: str) -> Finding:
    """Something does not work or is not safe."""
    return Finding("problem", subject, message)
