"""Change sets: the writes of one change to a user's memory, collected with their preconditions."""

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime
from typing import Any, Self

from langgraph.store.base import BaseStore, GetOp, Item, PutOp

from agent.memory.records import batches, namespaces, profile
from agent.memory.records.changes import Change, T
from agent.memory.records.derived import read_derived
from agent.memory.records.documents import derived_id
from agent.memory.records.namespaces import Namespace
from agent.memory.records.profile import MAX_SENTENCES, Profile, ProfileField, Sentence
from agent.memory.records.retirement import Retirement, location_of, namespace_of, original_document
from agent.types import UserId


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

    def delete(self, items: Iterable[Item]) -> None:
        """Delete items permanently."""
        for item in items:
            self._read |= batches.read_versions([item])
            self._ops.append(PutOp(item.namespace, item.key, None))

    def write(self, item: Item, value: Mapping[str, Any]) -> None:
        """Replace an item's value."""
        self._read |= batches.read_versions([item])
        self._ops.append(_put(item.namespace, item.key, value))

    def retire(self, items: Iterable[Item], retirement: Retirement) -> None:
        """Move items to history."""
        for item in items:
            self._read |= batches.read_versions([item])
            self._ops += retirement.move_ops(self._user, location_of(item.namespace), item.key, item.value)

    async def restore(self, versions: Sequence[Item]) -> None:
        """Move retired documents back to their original locations."""
        self.delete(versions)
        sentences = [version for version in versions if version.value["place"] == "profile"]
        others = [version for version in versions if version not in sentences]
        places = [(namespace_of(self._user, version.value["place"]), version.value["memory"]) for version in others]
        current = await batches.get(self._store, [GetOp(*place) for place in places])
        self._read |= {place: item.updated_at if item else None for place, item in zip(places, current, strict=True)}
        self._ops += [
            _put(*place, original_document(version.value)) for place, version in zip(places, others, strict=True)
        ]
        for sentence in sentences:
            self.profile = _with_restored_sentence(self.profile, original_document(sentence.value))

    async def delete_derived(self, messages: Set[str]) -> None:
        """Delete permanently what comes from the messages, except facts."""
        self.delete(await read_derived(self._store, self._user, messages))
        self.profile = self.profile.without_messages(messages)

    async def retire_derived(self, messages: Set[str], retirement: Retirement) -> None:
        """Move to history what comes from the messages, except facts."""
        self.retire(await read_derived(self._store, self._user, messages), retirement)
        for name, sentence in self.profile.sentences_from(messages):
            key = derived_id(self._user, "sentence", name, sentence.text)
            value = {"field": name, **sentence.as_dict()}
            self._ops.append(retirement.history_op(self._user, "profile", key, value))
        self.profile = self.profile.without_messages(messages)


def _put(namespace: Namespace, key: str, value: Mapping[str, Any]) -> PutOp:
    """The operation that writes a memory, an inbox item or a retired document; only recallable items are indexed."""
    is_recallable = namespace[-1] != "retired" and value.get("recallable", True)
    return PutOp(namespace, key, dict(value), index=namespaces.INDEXED_FIELDS if is_recallable else False)


def _with_restored_sentence(current: Profile, document: Mapping[str, Any]) -> Profile:
    """Add a retired sentence back to its field, which keeps its most recent `MAX_SENTENCES`."""
    name: ProfileField = document["field"]
    restored = Sentence(document["text"], tuple(document["messages"]), document["ts"])
    others = [sentence for sentence in current.sentences.get(name, ()) if sentence.text != restored.text]
    latest = tuple(sorted([*others, restored], key=lambda sentence: sentence.ts)[-MAX_SENTENCES:])
    sentences = {**current.sentences, name: latest}
    return Profile(sentences, max(sentence.ts for field in sentences.values() for sentence in field))
