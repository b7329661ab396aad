"""The inbox: user messages that formation has not processed, one item per message, with its id as the key."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from langgraph.store.base import BaseStore, GetOp, PutOp, SearchOp

from agent.language.message_analysis import MessageContent
from agent.language.references.antecedents import without_antecedent
from agent.memory.records import batches, namespaces
from agent.memory.records.documents import document_op
from agent.store import ExactPostgresStore
from agent.store.counting import filter_nonempty
from agent.text_process import analyse
from agent.timestamps import now
from agent.types import MessageId, ThreadId, UserId

DRAIN_BATCH_SIZE = 10_000
MAX_ATTEMPTS = 6
"""An item is set aside after this number of failures: the first attempt and five retries."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The failures of an item: their number, the time of the first, and the last error."""

    times: int
    since: str
    error: str


@dataclass(frozen=True, slots=True)
class InboxItem:
    """A user's message, and the assistant's answer once it exists."""

    message: MessageId
    thread: ThreadId
    text: str
    ts: str
    answer: str = ""
    failed: Failure | None = None
    standing: bool = field(default=False, compare=False)
    """True if it was recognised as standing by its vector; see `is_standing`."""
    time_zone: str = field(default="", compare=False)
    """The user's time zone when they wrote it, as an IANA name; empty if unknown."""
    read_tools: bool = field(default=False, compare=False)
    """Whether the model read tool results in this turn, which may have misled it."""
    follows: tuple[MessageId, ...] = field(default=(), compare=False)
    """The messages with the statement that precedes this one in `text`, if it is not understood without."""
    corrects: bool = field(default=False, compare=False)
    """Whether it corrects that statement, or may do so: what is formed of it then replaces the statement's facts."""

    content: MessageContent | None = field(default=None, compare=False)
    """The analysis of its text; None before the first use."""

    @property
    def retries_exhausted(self) -> bool:
        """Whether the item is set aside, so that later messages are processed without it."""
        return self.failed is not None and self.failed.times >= MAX_ATTEMPTS

    @property
    def own_text(self) -> str:
        """The message without the statement before it."""
        return without_antecedent(self.text) if self.follows else self.text

    @property
    def recallable(self) -> bool:
        """Whether it states something that other threads may recall before it is processed."""
        return self._content.recallable

    @property
    def is_remark(self) -> bool:
        """Whether it would state something by itself, but not after the messages before it."""
        return not self.recallable and MessageContent.of(self.text).recallable

    @property
    def is_standing(self) -> bool:
        """Whether it matters for every message until it is processed."""
        return self.standing or self._content.standing

    @property
    def is_standing_by_vector(self) -> bool:
        """Whether only its vector shows that it matters for every message; what is formed of it then does, too."""
        return self.standing and not MessageContent.of(self.text).standing

    @property
    def _content(self) -> MessageContent:
        return self.content or MessageContent.of(self.text)

    def as_value(self) -> dict[str, Any]:
        """The item's document."""
        content = self._content
        value: dict[str, Any] = {
            "text": self.text,
            "source_thread": self.thread,
            "ts": self.ts,
            "answer": self.answer,
            "recallable": content.recallable,
            "standing": self.standing or content.standing,
            "time_zone": self.time_zone,
            "read_tools": self.read_tools,
        }
        reference = {"follows": list(self.follows), "corrects": self.corrects} if self.follows else {}
        return value | reference | ({"failed": asdict(self.failed)} if self.failed else {})


def without_text(item: InboxItem) -> InboxItem:
    """An item of a message of which nothing is saved."""
    return replace(item, text="", content=MessageContent(recallable=False, standing=False))


async def analysed(item: InboxItem) -> InboxItem:
    """Analyse the text of an item, before its document is written."""
    return replace(item, content=await analyse(MessageContent.of, item.text, chars=len(item.text)))


async def add(store: BaseStore, user: UserId, item: InboxItem) -> None:
    """Add an item without its vector. Adding the same item again changes nothing."""
    await batches.put(store, [_put(user, item)])


async def add_missing(store: BaseStore, user: UserId, item: InboxItem) -> bool:
    """Add an item and return True if it does not exist yet."""
    return await batches.commit(store, [_put(user, item)], unchanged={(namespaces.inbox(user), item.message): None})


async def remove(store: BaseStore, user: UserId, messages: Sequence[MessageId]) -> None:
    """Delete the items of messages."""
    await batches.put(store, [PutOp(namespaces.inbox(user), message, None) for message in messages])


async def remove_antecedent(store: BaseStore, user: UserId, message: MessageId) -> None:
    """Leave only the messages themselves of the items that follow a message, if they still exist."""
    for item in [one for one in await list_items(store, user) if message in one.follows]:
        alone = await analysed(replace(item, text=item.own_text, follows=(), corrects=False))
        key = (namespaces.inbox(user), item.message)
        [stored] = await batches.get(store, [GetOp(*key)])
        if stored:
            await batches.commit(store, [_put(user, alone)], unchanged={key: stored.updated_at})


async def add_vector(store: BaseStore, user: UserId, item: InboxItem) -> None:
    """Embed an item, if it still exists and may be recalled."""
    if item.recallable:
        await _update(store, user, item, embed=True)


async def add_answer(store: BaseStore, user: UserId, item: InboxItem, answer: str) -> None:
    """Add the assistant's answer to an item, if it still exists."""
    await _update(store, user, replace(item, answer=answer))


async def record_failure(store: BaseStore, user: UserId, items: Sequence[InboxItem], error: str) -> list[InboxItem]:
    """Record a failure on each item that still exists; return all items with it."""
    first, updated = Failure(0, now(), error), []
    for item in items:
        earlier = item.failed or first
        updated.append(replace(item, failed=Failure(earlier.times + 1, earlier.since, error)))
        await _update(store, user, updated[-1])
    return updated


async def list_items(store: BaseStore, user: UserId) -> list[InboxItem]:
    """The items of the inbox, oldest first, at most `DRAIN_BATCH_SIZE`."""
    [results] = await batches.search(store, [SearchOp(namespaces.inbox(user), limit=DRAIN_BATCH_SIZE)])
    items = [
        InboxItem(
            message=MessageId(item.key),
            thread=ThreadId(item.value["source_thread"]),
            text=item.value["text"],
            ts=item.value["ts"],
            answer=item.value.get("answer", ""),
            failed=Failure(**item.value["failed"]) if "failed" in item.value else None,
            standing=item.value.get("standing", False),
            time_zone=item.value.get("time_zone", ""),
            read_tools=item.value.get("read_tools", False),
            follows=tuple(map(MessageId, item.value.get("follows", ()))),
            corrects=item.value.get("corrects", False),
            content=_content_of(item.value),
        )
        for item in results
    ]
    return sorted(items, key=lambda item: item.ts)


async def users_with_items(store: BaseStore, users: Sequence[UserId]) -> set[UserId]:
    """The users whose inboxes are not empty."""
    inboxes = {namespaces.inbox(user): user for user in users}
    if isinstance(store, ExactPostgresStore):
        return {inboxes[namespace] for namespace in await filter_nonempty(store, list(inboxes))}
    ops = [SearchOp(namespace, limit=1, refresh_ttl=False) for namespace in inboxes]
    results = await batches.search(store, ops) if ops else []
    return {user for user, items in zip(users, results, strict=True) if items}


def _content_of(value: Mapping[str, Any]) -> MessageContent | None:
    if "recallable" not in value:
        return None
    return MessageContent(value["recallable"], value.get("standing", False))


def _put(user: UserId, item: InboxItem) -> PutOp:
    return PutOp(namespaces.inbox(user), item.message, item.as_value(), index=False)


async def _update(store: BaseStore, user: UserId, item: InboxItem, *, embed: bool = False) -> None:
    """Replace an item if it still exists. Other stores than Keepsake's always embed it again."""
    namespace, value = namespaces.inbox(user), item.as_value()
    if isinstance(store, ExactPostgresStore):
        await (store.aindex if embed else store.aupdate)(namespace, item.message, value)
    elif (await batches.get(store, [GetOp(namespace, item.message)]))[0] is not None:
        await batches.put(store, [document_op(namespace, item.message, value)])
