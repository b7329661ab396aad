"""What a user can do with their memories: see, search, add, edit, forget."""

import uuid
from dataclasses import dataclass, replace

from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchOp

from agent.database.errors import translated_errors
from agent.errors import InvalidCursorError, InvalidTextError, MemoryNotFoundError
from agent.memory import batches, namespaces
from agent.memory.documents import as_value, from_value, now
from agent.memory.gate import refusal
from agent.text import MAX_MEMORY_CHARS, checked_text
from agent.types import KINDS, Category, Kind, Memory, MemoryId, Page, ThreadId, UserId

READ_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Library:
    """The memories of every user, one user at a time.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    store: BaseStore

    async def page(
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
        items = [from_value(item.key, item.value, score=item.score) for item in found]
        more = len(items) > offset + limit
        return Page(tuple(items[offset : offset + limit]), str(offset + limit) if more else None)

    async def get(self, user: UserId, memory: MemoryId) -> Memory:
        """Return one memory.

        Raises:
            MemoryNotFoundError: the user has none of that id.
        """
        with translated_errors():
            found = await batches.get(self.store, [GetOp(namespaces.memories(user, kind), memory) for kind in KINDS])
        for item in found:
            if item is not None:
                return from_value(item.key, item.value)
        raise MemoryNotFoundError("the user has no such memory")

    async def add(self, user: UserId, *, kind: Kind, text: str, category: Category) -> Memory:
        """Keep what the user typed in.

        Raises:
            InvalidTextError: the text is empty, too long, a secret, or an order.
        """
        moment = now()
        memory = Memory(
            id=MemoryId(str(uuid.uuid4())),
            kind=kind,
            text=rememberable(text),
            ts=moment,
            category=category,
            last_seen=moment,
        )
        await self._write(user, memory)
        return memory

    async def edit(self, user: UserId, memory: MemoryId, *, text: str) -> Memory:
        """Change a memory's words; the old ones are kept as history, and never recalled.

        Raises:
            MemoryNotFoundError: the user has none of that id.
            InvalidTextError: the text is empty, too long, a secret, or an order.
        """
        new_text = rememberable(text)
        old = await self.get(user, memory)
        history = as_value(old) | {"retired_at": now(), "why": "edited", "memory": old.id}
        new = replace(old, text=new_text, last_seen=now())
        await self._write(user, new, PutOp(namespaces.retired(user), str(uuid.uuid4()), history, index=False))
        return new

    async def forget(self, user: UserId, memory: MemoryId) -> None:
        """Delete a memory, and what else came from the same messages and would bring it back.

        Raises:
            MemoryNotFoundError: the user has none of that id.
        """
        known = await self.get(user, memory)
        messages = {source.message for source in known.sources}
        with translated_errors():
            ops: list[PutOp] = [PutOp(namespaces.memories(user, known.kind), memory, None)]
            ops += [PutOp(namespaces.inbox(user), message, None) for message in messages]
            ops += await self._episodes_of(user, messages)
            await batches.put(self.store, ops)

    async def forget_thread(self, user: UserId, thread: ThreadId) -> int:
        """Delete every memory whose only source is a thread, and what waits of it; return how many memories went."""
        places = [*(namespaces.memories(user, kind) for kind in KINDS), namespaces.inbox(user)]
        with translated_errors():
            found = await batches.search(self.store, [SearchOp(place, limit=READ_AT_ONCE) for place in places])
            gone = [
                PutOp(item.namespace, item.key, None) for items in found for item in items if _only_of(thread, item)
            ]
            await batches.put(self.store, gone)
        return sum(op.namespace != namespaces.inbox(user) for op in gone)

    async def _episodes_of(self, user: UserId, messages: set[str]) -> list[PutOp]:
        place = namespaces.memories(user, "episodic")
        [found] = await batches.search(self.store, [SearchOp(place, limit=READ_AT_ONCE)])
        return [
            PutOp(place, item.key, None)
            for item in found
            if messages & {source["message"] for source in item.value.get("sources", ())}
        ]

    async def _write(self, user: UserId, memory: Memory, *others: PutOp) -> None:
        place = namespaces.memories(user, memory.kind)
        put = PutOp(place, memory.id, as_value(memory), index=namespaces.INDEXED)
        with translated_errors():
            await batches.put(self.store, [put, *others])


def _only_of(thread: ThreadId, item: Item) -> bool:
    """Tell whether nothing but a thread vouches for an item; what was typed in by hand has no source."""
    if "sources" not in item.value:
        return bool(item.value.get("source_thread") == thread)
    return {source["thread"] for source in item.value["sources"]} == {thread}


def rememberable(text: str) -> str:
    """Return the text without white space around it.

    Raises:
        InvalidTextError: it is empty, too long, a secret, or an order.
    """
    checked = checked_text(text, max_chars=MAX_MEMORY_CHARS)
    if reason := refusal(checked):
        raise InvalidTextError(f"this is not kept as a memory ({reason})")
    return checked


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < len("1000000")):
        raise InvalidCursorError("the cursor was not given by this list")
    return int(cursor)
