"""Optimistic concurrency: a change is committed only if the items that it was planned from are unchanged."""

from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Self, TypeVar

from langgraph.store.base import BaseStore, GetOp, Item, PutOp

from agent.errors import ChangedMeanwhileError
from agent.memory.records import batches, lookup, namespaces, profile
from agent.memory.records.documents import derived_id, document_op
from agent.memory.records.history import Retirement, original_document
from agent.memory.records.namespaces import Namespace
from agent.memory.records.profile import Profile
from agent.types import UserId

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


class ChangeSet:
    """A mutable builder of a `Change`. If a document is written more than once, the last write wins."""

    def __init__(self, store: BaseStore, user: UserId, profile_item: Item | None) -> None:
        self.profile = self._original_profile = Profile.from_value(profile_item.value if profile_item else None)
        self._store = store
        self._user = user
        self._ops: list[PutOp] = []
        self._read: dict[tuple[Namespace, str], datetime | None] = {
            (namespaces.profile(user), profile.KEY): profile_item.updated_at if profile_item else None
        }

    @classmethod
    async def load(cls, store: BaseStore, user: UserId) -> Self:
        """Start a change set with the user's current profile."""
        [profile_item] = await batches.get(store, [GetOp(namespaces.profile(user), profile.KEY)])
        return cls(store, user, profile_item)

    def build(self, result: T) -> Change[T]:
        """The collected change, with its result."""
        profile_ops = [] if self.profile == self._original_profile else [profile.put_op(self._user, self.profile)]
        return Change([*self._ops, *profile_ops], self._read, result)

    def delete(self, items: Sequence[Item]) -> None:
        """Delete items permanently."""
        self._read |= batches.read_versions(items)
        self._ops += [PutOp(item.namespace, item.key, None) for item in items]

    def write(self, item: Item, value: Mapping[str, Any]) -> None:
        """Replace an item's value."""
        self._read |= batches.read_versions([item])
        self._ops.append(document_op(item.namespace, item.key, value))

    def retire(self, items: Sequence[Item], retirement: Retirement) -> None:
        """Move items to history."""
        self._read |= batches.read_versions(items)
        for item in items:
            self._ops += retirement.move_ops(self._user, item.namespace, item.key, item.value)

    async def restore(self, versions: Sequence[Item]) -> None:
        """Move retired documents back to their original locations."""
        self.delete(versions)
        documents: dict[tuple[Namespace, str], dict[str, Any]] = {}
        for version in versions:
            location, document = version.value["place"], original_document(version.value)
            if location == "profile":
                self.profile = self.profile.with_restored_sentence(document)
                continue
            inbox = location == "inbox"
            namespace = namespaces.inbox(self._user) if inbox else namespaces.memories(self._user, location)
            documents[namespace, version.value["memory"]] = document
        current = await batches.get(self._store, [GetOp(*place) for place in documents])
        for place, item in zip(documents, current, strict=True):
            self._read[place] = item.updated_at if item else None
        self._ops += [document_op(*place, document) for place, document in documents.items()]

    async def delete_derived(self, messages: Set[str]) -> None:
        """Delete permanently what comes from the messages, except facts."""
        self.delete(await lookup.read_derived(self._store, self._user, messages))
        self.profile = self.profile.without_messages(messages)

    async def retire_derived(self, messages: Set[str], retirement: Retirement) -> None:
        """Move to history what comes from the messages, except facts."""
        self.retire(await lookup.read_derived(self._store, self._user, messages), retirement)
        for name, sentences in self.profile.sentences.items():
            for sentence in sentences:
                if messages & set(sentence.messages):
                    key = derived_id(self._user, "sentence", name, sentence.text)
                    value = {"field": name, **sentence.as_dict()}
                    self._ops.append(retirement.history_op(self._user, "profile", key, value))
        self.profile = self.profile.without_messages(messages)
