"""Optimistic concurrency: a change is committed only if the items that it was planned from are unchanged."""

from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Generic, Self, TypeVar

from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchItem

from agent.errors import ChangedMeanwhileError
from agent.language.removal.redaction import Redaction
from agent.memory.records import batches, lookup, namespaces, profile
from agent.memory.records.change_log import describe_changes
from agent.memory.records.documents import derived_id, document_op, redact_document, source_messages
from agent.memory.records.history import Retirement, location_of, original_document
from agent.memory.records.namespaces import Namespace
from agent.memory.records.profile import Profile, ProfileField, Sentence
from agent.types import FACT_KINDS, Kind, UserId

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
        if not change.ops or await _commit(store, change):
            return change.result
    raise ChangedMeanwhileError("try again in a moment")


async def write_memories(store: BaseStore, ops: Sequence[PutOp]) -> None:
    """Write memories without preconditions, all or none."""
    if ops:
        await _commit(store, Change(ops, {}, None))


async def _commit(store: BaseStore, change: Change[T]) -> bool:
    describe = partial(describe_changes, change.ops)
    return await batches.commit(store, change.ops, unchanged=change.preconditions, describe=describe)


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
        self._values: dict[tuple[Namespace, str], Mapping[str, Any] | None] = {}
        """The documents after this change; None for a deleted one."""
        self._kept: set[tuple[str, Namespace, str]] = set()
        """The versions in history, by change; the first one is the document before the change."""

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
        for item in items:
            self._write(item, None)

    def write(self, item: Item, value: Mapping[str, Any]) -> None:
        """Replace an item's value."""
        self._write(item, value)

    def retire(self, items: Sequence[Item], retirement: Retirement) -> None:
        """Move items to history."""
        for item in items:
            self._keep_version(item, retirement)
            self._write(item, None)

    async def restore(
        self, versions: Sequence[Item], retirement: Retirement, *, pins: Mapping[str, bool] | None = None
    ) -> None:
        """Move retired documents back to their original locations, and what is there now to history.

        Args:
            versions: the retired documents.
            retirement: of the documents that are there now, so that undo restores them.
            pins: whether memories are pinned now, by id; others remain as they are.
        """
        self.delete(versions)
        documents: dict[tuple[Namespace, str], dict[str, Any]] = {}
        for version in versions:
            location, document = version.value["place"], original_document(version.value)
            if location == "profile":
                restored = self.profile.with_restored_sentence(document)
                self._replace_field(document["field"], restored, Sentence.from_dict(document))
                continue
            inbox = location == "inbox"
            namespace = namespaces.inbox(self._user) if inbox else namespaces.memories(self._user, location)
            documents[namespace, version.value["memory"]] = document
        current = await batches.get(self._store, [GetOp(*place) for place in documents])
        for place, item in zip(documents, current, strict=True):
            document, pinned = documents[place], (pins or {}).get(place[1])
            self._read[place] = item.updated_at if item else None
            if item is not None:
                pinned = item.value.get("pinned") if pinned is None else pinned
                self._keep_version(item, retirement)
            if pinned is not None and pinned != document.get("pinned", False):
                document["pinned"] = pinned
            self._ops.append(document_op(*place, document))

    async def redact(
        self,
        redaction: Redaction,
        retirement: Retirement | None,
        *,
        spared_messages: Set[str] = frozenset(),
        spared_documents: Set[str] = frozenset(),
        include_facts: bool = False,
    ) -> None:
        """Remove the parts of episodes, inbox items and profile sentences that state what is outdated or forgotten.

        Args:
            redaction: decides which parts are removed; a text of which nothing remains is removed as a whole.
            retirement: the earlier version of each text moves to history; None: it is deleted permanently.
            spared_messages: those that may repeat the statement.
            spared_documents: the keys of documents that remain as they are.
            include_facts: also change the facts that come from the same words.
        """
        items = await lookup.read_derived(self._store, self._user, redaction.messages)
        if include_facts:
            items += [item for kind in FACT_KINDS for item in await self._read_all(kind)]
        for item in items:
            value = self._values.get((item.namespace, item.key), item.value)
            if value is None or item.key in spared_documents:
                continue
            if _is_spared(source_messages(value, item.key), redaction, spared_messages):
                continue
            redacted = redact_document(redaction, value, item.key)
            if redacted == value:
                continue
            if retirement:
                self._keep_version(item, retirement)
            self._write(item, redacted)
        self._redact_profile(redaction, retirement, spared_messages)

    async def _read_all(self, kind: Kind) -> list[SearchItem]:
        return await lookup.read_all(self._store, namespaces.memories(self._user, kind))

    def add_sentence(self, name: ProfileField, sentence: Sentence) -> None:
        """Add a sentence to the profile; a sentence for which its field has no room moves to history."""
        self._replace_field(name, self.profile.with_sentence(name, sentence), sentence)

    def _redact_profile(self, redaction: Redaction, retirement: Retirement | None, spared_messages: Set[str]) -> None:
        for name, sentences in self.profile.sentences.items():
            for sentence in sentences:
                messages = set(sentence.messages)
                text = redaction.redact(sentence.text, messages, is_verbatim=False)
                if text == sentence.text or _is_spared(messages, redaction, spared_messages):
                    continue
                if retirement:
                    self._keep_sentence(name, sentence, retirement)
                self.profile = self.profile.with_text(name, sentence, text)

    def _replace_field(self, name: ProfileField, updated: Profile, *added: Sentence) -> None:
        kept = updated.sentences.get(name, ())
        for sentence in (*self.profile.sentences.get(name, ()), *added):
            if not any(sentence.is_part_of(other) or other.is_same(sentence) for other in kept):
                self._keep_sentence(name, sentence, Retirement("formation", "evicted"))
        self.profile = updated

    def _keep_sentence(self, name: ProfileField, sentence: Sentence, retirement: Retirement) -> None:
        key = derived_id(self._user, "sentence", name, sentence.text)
        self._ops.append(retirement.history_op(self._user, "profile", key, {"field": name, **sentence.as_dict()}))

    def _keep_version(self, item: Item, retirement: Retirement) -> None:
        version = retirement.change_id, item.namespace, item.key
        if version in self._kept:
            return
        self._kept.add(version)
        value = self._values.get(version[1:]) or item.value
        self._ops.append(retirement.history_op(self._user, location_of(item.namespace), item.key, value))

    def _write(self, item: Item, value: Mapping[str, Any] | None) -> None:
        self._read |= batches.read_versions([item])
        self._values[item.namespace, item.key] = value
        write = PutOp(item.namespace, item.key, None) if value is None else document_op(item.namespace, item.key, value)
        self._ops.append(write)


def _is_spared(messages: Set[str], redaction: Redaction, spared_messages: Set[str]) -> bool:
    return bool(spared_messages & messages) and not redaction.messages & messages
