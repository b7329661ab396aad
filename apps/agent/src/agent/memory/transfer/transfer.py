"""Taking a user's memories out, and back in: nothing is lost on the way, and nothing is done by halves."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from langgraph.store.base import BaseStore, GetOp, PutOp, SearchItem

from agent.database.errors import translated_errors
from agent.errors import InvalidInputError
from agent.memory.records import batches, lookup, namespaces
from agent.memory.transfer.jsonl import ImportEntry, ImportFile, as_line, words_of
from agent.memory.transfer.jsonl_models import MAX_LINE_BYTES
from agent.models.embeddings import CachedEmbeddings, Vector
from agent.types import FACTS, KINDS, UserId

READ_AT_ONCE = 500
EMBEDDED_AT_ONCE = 128  # half a second of MiniLM's, or of a busy machine some more; within what any server takes

T = TypeVar("T")


class BatchedEmbeddings(CachedEmbeddings):
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
        with translated_errors():
            async for page in lookup.iter_pages(self.store, namespaces.inbox(user)):
                yield b"".join(as_line(item, place="inbox", id=item.key) for item in page)
            for kind in KINDS:
                async for page in lookup.iter_pages(self.store, namespaces.memories(user, kind)):
                    yield b"".join(as_line(item, id=item.key, kind=kind) for item in page)
            async for page in lookup.iter_pages(self.store, namespaces.profile(user)):
                yield b"".join(as_line(item, place="profile") for item in page)
            async for page in lookup.iter_pages(self.store, namespaces.retired(user)):
                yield b"".join(as_line(item, place="retired", id=item.key, kind=_kind(item)) for item in page)

    async def import_lines(self, user: UserId, body: AsyncIterable[bytes]) -> Imported:
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
        file = ImportFile(user)
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

    async def _not_yet_known(self, user: UserId, entries: list[ImportEntry]) -> list[ImportEntry]:
        """Leave out facts without an id that are known in the same words: they are no second memory."""
        if not any(entry.words for entry in entries):
            return entries
        known: set[str | None] = set()
        for kind in FACTS:
            async for page in lookup.iter_pages(self.store, namespaces.memories(user, kind)):
                known.update(words_of(kind, item.value["text"]) for item in page)
        return [entry for entry in entries if entry.words not in known]

    async def _changes(self, entries: Sequence[ImportEntry]) -> list[PutOp]:
        """Return what must be written so that everything is as the entries say."""
        places = [(place, entry.key) for entry in entries for place in (entry.place, *entry.elsewhere)]
        items = await batches.get(self.store, [GetOp(place, key, refresh_ttl=False) for place, key in places])
        known = {at: item.value for at, item in zip(places, items, strict=True) if item is not None}
        return [op for entry in entries for op in entry.changes(known)]


def _kind(retired: SearchItem) -> str:
    """Return what a retired document was: a kind of memory, an item of the inbox, or a sentence of the profile."""
    return str(retired.value.get("place") or retired.value.get("type", "user"))


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
