"""The limit of facts: how many a user has, and which formation has evicted."""

from dataclasses import dataclass

from langgraph.store.base import BaseStore

from agent.memory.records import lookup, namespaces
from agent.memory.records.history import History, Version, current_value, to_version
from agent.types import FACT_KINDS, UserId

MAX_LISTED = 100


@dataclass(frozen=True, slots=True)
class FactLimit:
    """The facts of a user compared with the limit of the installation."""

    facts: int
    """More than the limit after an import, or if more facts matter for every message."""
    max_facts: int
    evicted: tuple[Version, ...]
    """The facts that were evicted, the latest first, at most `MAX_LISTED`."""


async def count_facts(store: BaseStore, user: UserId) -> int:
    """Count the user's facts of both kinds."""
    return sum([len(await lookup.read_all(store, namespaces.memories(user, kind))) for kind in FACT_KINDS])


async def read_fact_limit(store: BaseStore, user: UserId, max_facts: int) -> FactLimit:
    """Compare the user's facts with the limit."""
    history = await History.load(store, user)
    evicted = [item for item in history.items if current_value(item.value.get("why", "")) == "evicted"]
    versions = [to_version(item) for item in evicted if item.value.get("place") in FACT_KINDS]
    return FactLimit(await count_facts(store, user), max_facts, tuple(versions[:MAX_LISTED]))
