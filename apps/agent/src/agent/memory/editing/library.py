"""What a user can do with their memories: see, search, add, edit, undo, forget."""

import uuid
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from langgraph.store.base import BaseStore, Item, SearchOp

from agent.database.errors import translated_errors
from agent.errors import InvalidCursorError, InvalidTextError, MemoryNotFoundError
from agent.language.grounding import rejection_reason
from agent.memory.editing import forget
from agent.memory.editing.undo import undo
from agent.memory.records import batches, changes, lookup, namespaces
from agent.memory.records.change_set import ChangeSet
from agent.memory.records.changes import Change
from agent.memory.records.documents import from_document, put_op
from agent.memory.records.history import History, Version, as_version, messages_of
from agent.memory.records.retirement import Retirement, place_of
from agent.text import MAX_MEMORY_CHARS, validate_text
from agent.timestamps import now
from agent.types import Category, Kind, Memory, MemoryId, MessageId, Page, ThreadId, UserId


class InboxMarker(Protocol):
    """What puts a message into the inbox again that has never been there: the transcript."""

    async def mark_in_inbox(self, user: UserId, messages: Sequence[MessageId]) -> object:
        """Say that these messages have been there."""
        ...

    async def mark_all_in_inbox(self, user: UserId) -> None:
        """Say so of everything that the user has said."""
        ...


@dataclass(frozen=True, slots=True)
class Library:
    """The memories of every user, one user at a time.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
        ChangedMeanwhileError: from each that changes what is there, when others do so all the time.
    """

    store: BaseStore
    transcript: InboxMarker | None = None
    """None: nothing that was said is kept elsewhere."""

    async def list_memories(
        self, user: UserId, *, kind: Kind | None, query: str | None, limit: int, cursor: str | None
    ) -> Page[Memory]:
        """Return memories, the latest first; with a query the nearest first, each with its score.

        Raises:
            InvalidCursorError: the cursor is none of ours.
            EmbedderUnavailableError: the query has no vector.
        """
        offset = _offset(cursor)
        place = namespaces.memories(user, kind) if kind else namespaces.all_memories(user)
        # A search's OFFSET is not to be trusted in every store: the stretch is cut here.
        op = SearchOp(place, query=query, limit=offset + limit + 1)
        with translated_errors():
            [found] = await batches.search(self.store, [op])
        items = [from_document(item.key, item.value, score=item.score) for item in found]
        more = len(items) > offset + limit
        return Page(tuple(items[offset : offset + limit]), str(offset + limit) if more else None)

    async def get(self, user: UserId, memory: MemoryId) -> Memory:
        """Return one memory.

        Raises:
            MemoryNotFoundError: the user has none of that id.
        """
        with translated_errors():
            return _memory(await self._known(user, memory))

    async def add(self, user: UserId, *, kind: Kind, text: str, category: Category) -> Memory:
        """Keep what the user typed in.

        Raises:
            InvalidTextError: the text is empty, too long, a secret, or an order.
        """
        moment = now()
        memory = Memory(
            id=MemoryId(str(uuid.uuid4())),
            kind=kind,
            text=validate_memory_text(text),
            ts=moment,
            category=category,
            last_seen=moment,
        )
        with translated_errors():
            await batches.put(self.store, [put_op(user, memory)])
        return memory

    async def edit(self, user: UserId, memory: MemoryId, *, text: str) -> Memory:
        """Change a memory's words; the old ones are kept as history, and never recalled.

        Raises:
            MemoryNotFoundError: the user has none of that id.
            InvalidTextError: the text is empty, too long, a secret, or an order.
        """
        new_text = validate_memory_text(text)

        async def plan() -> Change[Memory]:
            old, exchange = await self._known(user, memory), await ChangeSet.of(self.store, user)
            edited = Retirement("user", "edited", by=old.key)
            # What else came from its messages says what it said before.
            await exchange.retire_derived(messages_of(old.value, old.key), edited)
            exchange.retire([old], edited)
            value = {**old.value, "text": new_text, "last_seen": now()}
            exchange.write(old, value)
            return exchange.change(from_document(old.key, value))

        with translated_errors():
            return await changes.commit_change(self.store, plan)

    async def history(self, user: UserId, memory: MemoryId) -> list[Version]:
        """Return what a memory was before, and what it came in the place of, the latest first; also of a retired one.

        Raises:
            MemoryNotFoundError: the user has none of that id, and never had.
        """
        with translated_errors():
            known, history = await lookup.find_memory(self.store, user, memory), await History.of(self.store, user)
        versions = history.chain({memory})
        if known is None and not versions:
            raise MemoryNotFoundError("the user has no such memory")
        return [as_version(item) for item in versions]

    async def undo(self, user: UserId, memory: MemoryId) -> Memory | None:
        """Take back what was last done to a memory; see `undo` for what that is, and what is raised.

        Returns:
            What is known now in its place, None if nothing is.
        """
        with translated_errors():
            return await changes.commit_change(self.store, lambda: undo(self.store, user, memory))

    async def forget(self, user: UserId, memory: MemoryId) -> None:
        """Delete a memory for ever, with its history, and with what else came from the same messages.

        Raises:
            MemoryNotFoundError: the user has none of that id, and never had.
        """

        async def plan() -> Change[set[str]]:
            change = await forget.forget(self.store, user, memory)
            await self._mark_in_inbox(user, change.result)
            return change

        with translated_errors():
            await changes.commit_change(self.store, plan)

    async def forget_thread(self, user: UserId, thread: ThreadId, said: Set[MessageId]) -> int:
        """Delete what only a thread has taught, by its messages; return how many memories went."""
        with translated_errors():
            await self._mark_in_inbox(user, said)
            return await changes.commit_change(self.store, lambda: forget.forget_thread(self.store, user, thread, said))

    async def forget_everything(self, user: UserId) -> dict[str, int]:
        """Delete all that memory holds of a user; return how much of each kind there was."""
        with translated_errors():
            if self.transcript is not None:
                await self.transcript.mark_all_in_inbox(user)
            gone = await batches.erase(self.store, namespaces.home(user))
        return {place_of(namespace): count for namespace, count in gone["store"].items()}

    async def _known(self, user: UserId, memory: MemoryId) -> Item:
        found = await lookup.find_memory(self.store, user, memory)
        if found is None:
            raise MemoryNotFoundError("the user has no such memory")
        return found

    async def _mark_in_inbox(self, user: UserId, messages: Set[str]) -> None:
        """Keep a drain from putting messages into the inbox again, as it does with what was never there."""
        said = [MessageId(message) for message in messages if _is_uuid(message)]
        if self.transcript is not None and said:
            await self.transcript.mark_in_inbox(user, said)


def _memory(item: Item) -> Memory:
    return from_document(item.key, item.value)


def _is_uuid(text: str) -> bool:
    """Tell whether a source can be a message of ours; that of an imported memory may have any name."""
    try:
        return bool(uuid.UUID(text))
    except ValueError:
        return False


def validate_memory_text(text: str) -> str:
    """Return the text without white space around it.

    Raises:
        InvalidTextError: it is empty, too long, a secret, or an order.
    """
    checked = validate_text(text, max_chars=MAX_MEMORY_CHARS)
    if reason := rejection_reason(checked):
        raise InvalidTextError(f"this is not kept as a memory ({reason})")
    return checked


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < len("1000000")):
        raise InvalidCursorError("the cursor was not given by this list")
    return int(cursor)
