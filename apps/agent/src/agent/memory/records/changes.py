"""Changes that hold only if what they were made of still stands; if not, they are made out anew."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from langgraph.store.base import BaseStore, PutOp

from agent.errors import ChangedMeanwhileError
from agent.memory.records import batches
from agent.memory.records.namespaces import Namespace

ATTEMPTS = 10

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Change(Generic[T]):
    """What is to be written, what must still stand for it, and what it comes to."""

    ops: Sequence[PutOp]
    preconditions: Mapping[tuple[Namespace, str], datetime | None]
    result: T


async def commit_change(store: BaseStore, plan: Callable[[], Awaitable[Change[T]]]) -> T:
    """Read and write as one: plan, commit, and plan anew where something changed in between.

    Raises:
        ChangedMeanwhileError: something did, again and again.
    """
    for _ in range(ATTEMPTS):
        change = await plan()
        if not change.ops or await batches.commit(store, change.ops, unchanged=change.preconditions):
            return change.result
    raise ChangedMeanwhileError("try again in a moment")
