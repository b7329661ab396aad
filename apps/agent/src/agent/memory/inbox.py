"""The inbox: what users said and formation has not yet distilled, one item a message, under the message's id."""

from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, runtime_checkable

from langgraph.store.base import BaseStore, GetOp, PutOp, SearchOp

from agent.memory import batches, namespaces
from agent.memory.rules import gives_orders, holds_credentials, only_asks
from agent.types import MessageId, ThreadId, UserId

DRAINED_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class InboxItem:
    """What a user said in one message, and what the assistant answered once it has."""

    message: MessageId
    thread: ThreadId
    text: str
    ts: str
    answer: str = ""

    @property
    def recallable(self) -> bool:
        """Whether other threads may see it before it is distilled: no secrets, no orders, no mere questions."""
        return not (only_asks(self.text) or holds_credentials(self.text) or gives_orders(self.text))

    def as_value(self) -> dict[str, Any]:
        """Return the item as it stands in the store."""
        return {
            "text": self.text,
            "source_thread": self.thread,
            "ts": self.ts,
            "answer": self.answer,
            "recallable": self.recallable,
        }


@runtime_checkable
class UpdatingStore(Protocol):
    """A store that can change an item without bringing back one that was deleted meanwhile."""

    async def aupdate(self, namespace: tuple[str, ...], key: str, value: dict[str, Any]) -> None:
        """Replace a value if its key is still there; its vector stays."""
        ...

    async def aindex(self, namespace: tuple[str, ...], key: str, value: dict[str, Any]) -> None:
        """Give an item the vectors of a value, if its key is still there."""
        ...


async def note(store: BaseStore, user: UserId, item: InboxItem) -> None:
    """Put an item in, at once and without its vector; saying the same again changes nothing."""
    await batches.put(store, [PutOp(namespaces.inbox(user), item.message, item.as_value(), index=False)])


async def index(store: BaseStore, user: UserId, item: InboxItem) -> None:
    """Give an item its vector, if it is still there and others may see it."""
    if not item.recallable:
        return
    if isinstance(store, UpdatingStore):
        await store.aindex(namespaces.inbox(user), item.message, item.as_value())
    else:
        await _put_if_there(store, user, item)


async def answered(store: BaseStore, user: UserId, item: InboxItem, answer: str) -> None:
    """Add the assistant's words to an item, if it is still there."""
    item = replace(item, answer=answer)
    if isinstance(store, UpdatingStore):
        await store.aupdate(namespaces.inbox(user), item.message, item.as_value())
    else:
        await _put_if_there(store, user, item)


async def waiting(store: BaseStore, user: UserId) -> list[InboxItem]:
    """Return what waits, oldest first, at most `DRAINED_AT_ONCE`."""
    [found] = await batches.search(store, [SearchOp(namespaces.inbox(user), limit=DRAINED_AT_ONCE)])
    items = [
        InboxItem(
            message=MessageId(item.key),
            thread=ThreadId(item.value["source_thread"]),
            text=item.value["text"],
            ts=item.value["ts"],
            answer=item.value.get("answer", ""),
        )
        for item in found
    ]
    return sorted(items, key=lambda item: item.ts)


async def _put_if_there(store: BaseStore, user: UserId, item: InboxItem) -> None:
    namespace = namespaces.inbox(user)
    if (await batches.get(store, [GetOp(namespace, item.message)]))[0] is not None:
        fields: Literal[False] | list[str] = namespaces.INDEXED if item.recallable else False
        await batches.put(store, [PutOp(namespace, item.message, item.as_value(), index=fields)])
