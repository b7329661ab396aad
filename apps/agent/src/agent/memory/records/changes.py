"""Optimistic concurrency: a change is committed only if the items that it was planned from are unchanged."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from langgraph.store.base import BaseStore, PutOp

from agent.errors import ChangedMeanwhileError
from agent.memory.records import batches

MAX_ATTEMPTS = 10

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Change(Generic[T]):
    """Planned writes, their preconditions, and the result if they are committed."""

    ops: Sequence[PutOp]
    preconditions: batches.ReadVersions
    result: T


async def commit_change(store: BaseStore, plan: Callable[[], Awaitable[Change[T]]]) -> T:
    """Plan a change and commit it; plan again if a precondition fails.

    Raises:
        ChangedMeanwhileError: a precondition failed `MAX_ATTEMPTS` times.
    """
    for _ in range(MAX_ATTEMPTS):
        change = await plan()
        if not change.ops or await batches.commit(store, change.ops, unchanged=change.preconditions):
            return change.result
    raise ChangedMeanwhileError("try again in a moment")
