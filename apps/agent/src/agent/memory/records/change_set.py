"""What goes and what comes in one change: to history, back from it, or for ever."""

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime
from typing import Any, Self

from langgraph.store.base import BaseStore, GetOp, Item, PutOp

from agent.memory.records import batches, namespaces, profile
from agent.memory.records.changes import Change, T
from agent.memory.records.derived import read_derived
from agent.memory.records.documents import derived_id
from agent.memory.records.namespaces import Namespace
from agent.memory.records.profile import MOST_SENTENCES, Field, Profile, Sentence
from agent.memory.records.retirement import Retirement, namespace_of, original_document, place_of
from agent.types import UserId


class ChangeSet:
    """A change of a user's memory as far as it is made out; the only place where it changes.

    What is done last to a document counts.
    """

    def __init__(self, store: BaseStore, user: UserId, told: Item | None) -> None:
        self.profile = self._before = Profile.from_value(told.value if told else None)
        self._store = store
        self._user = user
        self._ops: list[PutOp] = []
        self._read: dict[tuple[Namespace, str], datetime | None] = {
            (namespaces.profile(user), profile.KEY): told.updated_at if told else None
        }

    @classmethod
    async def of(cls, store: BaseStore, user: UserId) -> Self:
        """Begin with the profile as it is."""
        [told] = await batches.get(store, [GetOp(namespaces.profile(user), profile.KEY)])
        return cls(store, user, told)

    def change(self, result: T) -> Change[T]:
        """Return what it has come to."""
        told = [] if self.profile == self._before else [profile.put(self._user, self.profile)]
        return Change([*self._ops, *told], self._read, result)

    def delete(self, items: Iterable[Item]) -> None:
        """Let items go for ever."""
        for item in items:
            self._read |= batches.read_versions([item])
            self._ops.append(PutOp(item.namespace, item.key, None))

    def write(self, item: Item, value: Mapping[str, Any]) -> None:
        """Let an item have another value."""
        self._read |= batches.read_versions([item])
        self._ops.append(_put(item.namespace, item.key, value))

    def retire(self, items: Iterable[Item], retirement: Retirement) -> None:
        """Let items go to history."""
        for item in items:
            self._read |= batches.read_versions([item])
            self._ops += retirement.retires(self._user, place_of(item.namespace), item.key, item.value)

    async def restore(self, versions: Sequence[Item]) -> None:
        """Let retired documents be again what they were, where they were."""
        self.delete(versions)
        sentences = [version for version in versions if version.value["place"] == "profile"]
        others = [version for version in versions if version not in sentences]
        at = [(namespace_of(self._user, version.value["place"]), version.value["memory"]) for version in others]
        there = await batches.get(self._store, [GetOp(*place) for place in at])
        self._read |= {place: found.updated_at if found else None for place, found in zip(at, there, strict=True)}
        self._ops += [_put(*place, original_document(version.value)) for place, version in zip(at, others, strict=True)]
        for sentence in sentences:
            self.profile = _telling_again(self.profile, original_document(sentence.value))

    async def delete_derived(self, messages: Set[str]) -> None:
        """Let everything but facts that came from some messages go for ever."""
        self.delete((await read_derived(self._store, self._user, messages)).items)
        self.profile = self.profile.without(messages)

    async def retire_derived(self, messages: Set[str], retirement: Retirement) -> None:
        """Let everything but facts that came from some messages go to history."""
        self.retire((await read_derived(self._store, self._user, messages)).items, retirement)
        for name, sentence in self.profile.of_messages(messages):
            key = derived_id(self._user, "sentence", name, sentence.text)
            value = {"field": name, **sentence.as_dict()}
            self._ops.append(retirement.keeps(self._user, "profile", key, value))
        self.profile = self.profile.without(messages)


def _put(namespace: Namespace, key: str, value: Mapping[str, Any]) -> PutOp:
    """Return what writes a memory, an inbox item or a retired document; only what may be recalled is indexed."""
    is_recalled = namespace[-1] != "retired" and value.get("recallable", True)
    return PutOp(namespace, key, dict(value), index=namespaces.INDEXED if is_recalled else False)


def _telling_again(today: Profile, kept: Mapping[str, Any]) -> Profile:
    """Return the profile with a sentence that it had; a field keeps its latest few."""
    name: Field = kept["field"]
    sentence = Sentence(kept["text"], tuple(kept["messages"]), kept["ts"])
    others = [one for one in today.sentences.get(name, ()) if one.text != sentence.text]
    latest = tuple(sorted([*others, sentence], key=lambda one: one.ts)[-MOST_SENTENCES:])
    sentences = {**today.sentences, name: latest}
    return Profile(sentences, max(one.ts for told in sentences.values() for one in told))
