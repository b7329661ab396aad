"""The result of a check."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.settings import AgentSettings

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One result; the message of a warning or problem says how to fix it."""

    level: Level
    message: str
    subject: str = ""


ok = partial(Finding, "ok")
warning = partial(Finding, "warning")
"""Keepsake works, but an operator should act."""
problem = partial(Finding, "problem")
"""Something does not work or is not safe."""

Check = Callable[[AsyncConnection[DictRow], AgentSettings], AsyncIterator[Finding]]
"""A check of one database, run in a read-only transaction; its last finding is reported only if there is no other."""
