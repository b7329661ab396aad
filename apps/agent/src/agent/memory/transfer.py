"""Taking a user's memories out as JSON lines, and back in: nothing is lost on the way, and nothing done by halves.

A line is a memory's document with its `id` and its `kind`. What is no memory says its `place`: an item of the `inbox`, or
one of the `retired`, which comes back there and nowhere else.
"""

import asyncio
import itertools
import json
import uuid
from collections import Counter
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchItem, SearchOp
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import PydanticCustomError, from_json

from agent.database.errors import translated_errors
from agent.errors import InvalidInputError, InvalidTextError
from agent.memory import batches, namespaces
from agent.memory.documents import as_value, derived_id
from agent.memory.gate import normalised, refusal
from agent.memory.inbox import InboxItem
from agent.memory.library import rememberable
from agent.memory.namespaces import Namespace
from agent.models.embeddings import CachedEmbeddings, Vector
from agent.text import MAX_MESSAGE_CHARS, checked_text
from agent.types import KINDS, Category, Kind, Memory, MemoryId, MessageId, ThreadId, UserId

MAX_LINES = 50_000
MAX_LINE_BYTES = 512 * 1024  # an inbox item with a long answer, or a memory confirmed a thousand times
READ_AT_ONCE = 500
EMBEDDED_AT_ONCE = 256  # some seconds of MiniLM's, and within what an embedding server takes
MAX_NAME_CHARS = 100
SHOWN = ("quote", "source_message", "score")
"""What `GET /memories` shows besides, taken from elsewhere in the document; a line may have it, and it says nothing."""

# JSON may hold these as they are, and many programs would break a line there.
_SEPARATORS = str.maketrans({char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"})


class InBatches(CachedEmbeddings):
    """The same embeddings for any number of texts: some at a time, since each call has its time-out."""

    def __init__(self, embeddings: CachedEmbeddings) -> None:
        super().__init__(embeddings.aembed_documents)

    async def aembed_documents(self, texts: list[str]) -> list[Vector]:
        """Return [N] vectors."""
        return [vector for part in _parts(texts, EMBEDDED_AT_ONCE) for vector in await self._embed(list(part))]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to, in lines."""

    imported: int = 0
    """New, or now otherwise than before."""
    unchanged: int = 0
    """Already there."""
    waiting: int = 0
    """Of the imported, those of the inbox, which are still to be distilled."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """Export and import of one user's memories.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    store: BaseStore

    async def export(self, user: UserId) -> AsyncIterator[bytes]:
        """Yield every memory as lines, some hundred at a time; what was retired comes last.

        In this order nothing is missed that moves from one place to the next meanwhile.
        """
        for kind in KINDS:
            async for page in self._pages(namespaces.memories(user, kind)):
                yield b"".join(_line({"id": item.key, "kind": kind}, item.value) for item in page)
        async for page in self._pages(namespaces.inbox(user)):
            yield b"".join(_line({"place": "inbox", "id": item.key}, item.value) for item in page)
        async for page in self._pages(namespaces.retired(user)):
            yield b"".join(
                _line({"place": "retired", "id": item.key, "kind": item.value.get("type")}, item.value) for item in page
            )

    async def take_in(self, user: UserId, body: AsyncIterable[bytes]) -> Imported:
        """Write what a file of lines says, all of it or, when a line is wrong, nothing.

        A line needs a `kind` and a `text`. One whose `id` is there already replaces what it names, and leaves as it is what
        it does not say. One without an `id` is given the same one each time, so that a file taken in twice leaves one copy;
        a fact without one is unchanged if the same words are known. Episodes without `source_thread` are one conversation,
        in the order of the file; lines without `ts` are of now, a microsecond apart.

        Args:
            user: whose memories they become.
            body: the file, in pieces of any size.

        Raises:
            InvalidInputError: a line is wrong; the message names it, counted from 1.
            EmbedderUnavailableError: the memories cannot be indexed now.
        """
        file = _File(user)
        async for lines in _lines(body):
            await asyncio.to_thread(file.read, lines)  # the gate takes its time, and others are being answered
        if not file.count:
            raise InvalidInputError("the file is empty; a line is as {\"kind\": \"user\", \"text\": \"Lives in Oslo\"}")
        with translated_errors():
            new = [entry for entry in await self._unknown(user, list(file.entries.values()))]
            await batches.put(self.store, [op for put, gone in new for op in (*gone, put)])
        waiting = sum(put.namespace == namespaces.inbox(user) for put, _ in new)
        return Imported(len(new), file.count - len(new), waiting)
