"""Taking a user's memories out, and back in: nothing is lost on the way, and nothing is done by halves."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from langgraph.store.base import BaseStore, GetOp, PutOp, SearchItem, SearchOp

from agent.database.errors import translated_errors
from agent.errors import InvalidInputError
from agent.memory import batches, namespaces
from agent.memory.lines import FACTS, MAX_LINE_BYTES, Entry, File, as_line, words_of
from agent.memory.namespaces import Namespace
from agent.models.embeddings import CachedEmbeddings, Vector
from agent.types import KINDS, UserId

READ_AT_ONCE = 500
EMBEDDED_AT_ONCE = 128  # half a second of MiniLM's, or of a busy machine some more; within what any server takes

T = TypeVar("T")


class InBatches(CachedEmbeddings):
    """The same embeddings for any number of texts: some at a time, as each call has its time-out."""

    def __init__(self, embeddings: CachedEmbeddings) -> None:
        super().__init__(embeddings.aembed_documents)

    async def aembed_documents(self, texts: list[str]) -> list[Vector]:
        """Return [N] vectors."""
        return [vector for part in _parts(texts, EMBEDDED_AT_ONCE) for vector in await self._embed(list(part))]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to, in lines; `waiting` of the `imported` are in the inbox, to be distilled."""

    imported: int
    unchanged: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """Export and import of a user's memories.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    store: BaseStore

    async def export(self, user: UserId) -> AsyncIterator[bytes]:
        """Yield everything as lines, some hundred at a time.

        What moves meanwhile moves from the inbox to the memories, and from there to the retired: read in this order,
        nothing is missed.
        """
        async for page in self._pages(namespaces.inbox(user)):
            yield b"".join(as_line(item, place="inbox", id=item.key) for item in page)
        for kind in KINDS:
            async for page in self._pages(namespaces.memories(user, kind)):
                yield b"".join(as_line(item, id=item.key, kind=kind) for item in page)
        async for page in self._pages(namespaces.retired(user)):
            yield b"".join(as_line(item, place="retired", id=item.key, kind=item.value["type"]) for item in page)

    async def take(self, user: UserId, body: AsyncIterable[bytes]) -> Imported:
        """Write what a file says: all of it or, if one line is wrong, nothing.

        A line with an `id` is that item from now on; what it does not say stays as it is. One without is given the same
        id each time, so that a file that comes twice leaves one copy; what was edited meanwhile stays edited.

        Args:
            user: whose memories they become.
            body: the file, in pieces of any size.

        Raises:
            InvalidInputError: a line is wrong; the message says which, counted from 1.
            EmbedderUnavailableError: it cannot be indexed now.
        """
        file = File(user)
        async for lines in _lines(body):
            await asyncio.to_thread(file.read, lines)  # the gate takes its time, which others need meanwhile
        if not file.entries:
            raise InvalidInputError('the file is empty; a line is as {"kind": "user", "text": "Lives in Oslo"}')
        with translated_errors():
            entries = await self._not_yet_known(user, list(file.entries.values()))
            ops = [op for part in _parts(entries, READ_AT_ONCE) for op in await self._changes(part)]
            await batches.put(self.store, ops)
        written = [op for op in ops if op.value is not None]
        waiting = sum(op.namespace == namespaces.inbox(user) for op in written)
        return Imported(len(written), file.count - len(written), waiting)

    async def _pages(self, place: Namespace) -> AsyncIterator[list[SearchItem]]:
        """Yield everything in a place, the latest first, page by page, each item once.

        A page begins with the last item of the one before, and the latest item is still the same. If not, something was
        written meanwhile, and what is left is not where it was: reading begins anew.
        """
        seen: set[str] = set()
        expected: list[tuple[str, datetime]] = []
        offset = 0
        while True:
            stretches = ((1, 0), (READ_AT_ONCE, offset))
            ops = [SearchOp(place, limit=limit, offset=skipped, refresh_ttl=False) for limit, skipped in stretches]
            with translated_errors():
                latest, page = await batches.search(self.store, ops)
            if offset and _marks(latest + page[:1]) != expected:
                offset = 0
                continue
            if new := [item for item in page if item.key not in seen]:
                yield new
            if len(page) < READ_AT_ONCE:
                return
            seen.update(item.key for item in new)
            expected = _marks(latest + page[-1:])
            offset += READ_AT_ONCE - 1

    async def _not_yet_known(self, user: UserId, entries: list[Entry]) -> list[Entry]:
        """Leave out facts without an id that are known in the same words: they are no second memory."""
        if not any(entry.words for entry in entries):
            return entries
        known: set[str | None] = set()
        for kind in FACTS:
            async for page in self._pages(namespaces.memories(user, kind)):
                known.update(words_of(kind, item.value["text"]) for item in page)
        return [entry for entry in entries if entry.words not in known]

    async def _changes(self, entries: Sequence[Entry]) -> list[PutOp]:
        """Return what must be written so that everything is as the entries say."""
        places = [(place, entry.key) for entry in entries for place in (entry.place, *entry.elsewhere)]
        items = await batches.get(self.store, [GetOp(place, key, refresh_ttl=False) for place, key in places])
        known = {at: item.value for at, item in zip(places, items, strict=True) if item is not None}
        return [op for entry in entries for op in entry.changes(known)]


def _marks(items: Sequence[SearchItem]) -> list[tuple[str, datetime]]:
    return [(item.key, item.updated_at) for item in items]


async def _lines(body: AsyncIterable[bytes]) -> AsyncIterator[list[bytes]]:
    """Yield lines as they are complete, the last one also without its end."""
    rest = b""
    async for piece in body:
        *lines, rest = (rest + piece).split(b"\n")
        if len(rest) > MAX_LINE_BYTES:  # its end is not waited for
            lines, rest = [*lines, rest], b""
        yield lines
    yield [rest]


def _parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))
