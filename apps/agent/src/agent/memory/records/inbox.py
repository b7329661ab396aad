"""The inbox: what users said and formation has not yet distilled, one item a message, under the message's id."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Protocol, runtime_checkable

from langgraph.store.base import BaseStore, GetOp, PutOp, SearchOp

from agent.language.facts import contains_credentials, contains_injection, only_asks
from agent.memory.records import batches, namespaces
from agent.memory.records.namespaces import Namespace
from agent.timestamps import now
from agent.types import MessageId, ThreadId, UserId

DRAINED_AT_ONCE = 10_000
MOST_TRIES = 6
"""After so many failures an item is set aside: the first try, and five more."""


@dataclass(frozen=True, slots=True)
class Failure:
    """How often an item could not be distilled, since when, and why the last time."""

    times: int
    since: str
    error: str


@dataclass(frozen=True, slots=True)
class InboxItem:
    """What a user said in one message, and what the assistant answered once it has."""

    message: MessageId
    thread: ThreadId
    text: str
    ts: str
    answer: str = ""
    failed: Failure | None = None

    @property
    def set_aside(self) -> bool:
        """Whether it has failed so often that what is said later goes on without it."""
        return self.failed is not None and self.failed.times >= MOST_TRIES

    @property
    def recallable(self) -> bool:
        """Whether other threads may see it before it is distilled: no secrets, no orders, no mere questions."""
        return not (only_asks(self.text) or contains_credentials(self.text) or contains_injection(self.text))

    def as_value(self) -> dict[str, Any]:
        """Return the item as it stands in the store."""
        value: dict[str, Any] = {
            "text": self.text,
            "source_thread": self.thread,
            "ts": self.ts,
            "answer": self.answer,
            "recallable": self.recallable,
        }
        return value | {"failed": asdict(self.failed)} if self.failed else value


@runtime_checkable
class UpdatingStore(Protocol):
    """A store that can change an item without bringing back one that was deleted meanwhile."""

    async def aupdate(self, namespace: tuple[str, ...], key: str, value: dict[str, Any]) -> None:
        """Replace a value if its key is still there; its vector stays."""
        ...

    async def aindex(self, namespace: tuple[str, ...], key: str, value: dict[str, Any]) -> None:
        """Give an item the vectors of a value, if its key is still there."""
        ...


@runtime_checkable
class SurveyedStore(Protocol):
    """A store that can be asked about everybody's namespaces at once."""

    async def aholding(self, namespaces: Sequence[Namespace]) -> list[Namespace]:
        """Return those of the namespaces that hold something."""
        ...


async def add(store: BaseStore, user: UserId, item: InboxItem) -> None:
    """Put an item in, at once and without its vector; saying the same again changes nothing."""
    await batches.put(store, [_put(user, item)])


async def add_missing(store: BaseStore, user: UserId, item: InboxItem) -> bool:
    """Put an item in if it is not there; say whether it was so."""
    return await batches.commit(store, [_put(user, item)], unchanged={(namespaces.inbox(user), item.message): None})


async def remove(store: BaseStore, user: UserId, messages: Sequence[MessageId]) -> None:
    """Delete the items of messages."""
    await batches.put(store, [PutOp(namespaces.inbox(user), message, None) for message in messages])


async def add_vector(store: BaseStore, user: UserId, item: InboxItem) -> None:
    """Give an item its vector, if it is still there and others may see it."""
    if not item.recallable:
        return
    if isinstance(store, UpdatingStore):
        await store.aindex(namespaces.inbox(user), item.message, item.as_value())
    else:
        await _put_if_there(store, user, item)


async def add_answer(store: BaseStore, user: UserId, item: InboxItem, answer: str) -> None:
    """Add the assistant's words to an item, if it is still there."""
    await _change(store, user, replace(item, answer=answer))


async def record_failure(store: BaseStore, user: UserId, items: Sequence[InboxItem], error: str) -> list[InboxItem]:
    """Note on items that they could not be distilled, and return them so; who is gone stays gone."""
    moment = now()
    before = [item.failed or Failure(0, moment, error) for item in items]
    after = [
        replace(item, failed=Failure(known.times + 1, known.since, error))
        for item, known in zip(items, before, strict=True)
    ]
    for item in after:
        await _change(store, user, item)
    return after


async def list_items(store: BaseStore, user: UserId) -> list[InboxItem]:
    """Return what waits, oldest first, at most `DRAINED_AT_ONCE`."""
    [found] = await batches.search(store, [SearchOp(namespaces.inbox(user), limit=DRAINED_AT_ONCE)])
    items = [
        InboxItem(
            message=MessageId(item.key),
            thread=ThreadId(item.value["source_thread"]),
            text=item.value["text"],
            ts=item.value["ts"],
            answer=item.value.get("answer", ""),
            failed=Failure(**item.value["failed"]) if "failed" in item.value else None,
        )
        for item in found
    ]
    return sorted(items, key=lambda item: item.ts)


async def users_with_items(store: BaseStore, users: Sequence[UserId]) -> set[UserId]:
    """Return those of the users whose inboxes hold something."""
    places = {namespaces.inbox(user): user for user in users}
    if isinstance(store, SurveyedStore):
        return {places[place] for place in await store.aholding(list(places))}
    ops = [SearchOp(place, limit=1, refresh_ttl=False) for place in places]
    found = await batches.search(store, ops) if ops else []
    return {user for user, items in zip(users, found, strict=True) if items}


def _put(user: UserId, item: InboxItem) -> PutOp:
    return PutOp(namespaces.inbox(user), item.message, item.as_value(), index=False)


async def _change(store: BaseStore, user: UserId, item: InboxItem) -> None:
    if isinstance(store, UpdatingStore):
        await store.aupdate(namespaces.inbox(user), item.message, item.as_value())
    else:
        await _put_if_there(store, user, item)


async def _put_if_there(store: BaseStore, user: UserId, item: InboxItem) -> None:
    namespace = namespaces.inbox(user)
    if (await batches.get(store, [GetOp(namespace, item.message)]))[0] is not None:
        fields: Literal[False] | list[str] = namespaces.INDEXED if item.recallable else False
        await batches.put(store, [PutOp(namespace, item.message, item.as_value(), index=fields)])
