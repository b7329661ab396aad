"""Import of JSON lines into a user's memory, all lines or none."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Sequence
from dataclasses import dataclass

from langgraph.store.base import BaseStore, GetOp, PutOp

from agent.database.errors import translated_errors
from agent.errors import InvalidInputError
from agent.memory.records import batches, lookup, namespaces
from agent.memory.transfer.import_file import ImportEntry, ImportFile, fact_key
from agent.memory.transfer.jsonl import MAX_LINE_BYTES
from agent.types import FACT_KINDS, UserId


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The outcome of an import, in lines."""

    imported: int
    unchanged: int
    pending: int
    """How many of the imported lines are inbox items."""


async def import_lines(store: BaseStore, user: UserId, body: AsyncIterable[bytes]) -> ImportResult:
    """Import a file.

    A line with an `id` replaces the fields that it contains in that item. A line without one gets an id that is
    derived from its content, so that importing a file twice leaves one copy and keeps edits made in between.

    Args:
        store: the store of the user's memories.
        user: the owner of the imported memories.
        body: the file, in chunks of any size.

    Raises:
        InvalidInputError: a line is invalid; the message contains its number, starting at 1.
        EmbedderUnavailableError: the texts could not be embedded.
        StoreUnavailableError: the database is unavailable.
    """
    file = ImportFile(user)
    async for lines in _split_lines(body):
        await asyncio.to_thread(file.read, lines)  # the text analysis would block the event loop
    if not file.entries:
        raise InvalidInputError('the file is empty; a line looks like {"kind": "user", "text": "Lives in Oslo"}')
    with translated_errors():
        entries = await _without_known_facts(store, user, list(file.entries.values()))
        ops: list[PutOp] = []
        for start in range(0, len(entries), lookup.PAGE_SIZE):
            ops += await _put_ops(store, entries[start : start + lookup.PAGE_SIZE])
        await batches.put(store, ops)
    written = [op for op in ops if op.value is not None]
    pending = sum(op.namespace == namespaces.inbox(user) for op in written)
    return ImportResult(len(written), file.count - len(written), pending)


async def _without_known_facts(store: BaseStore, user: UserId, entries: list[ImportEntry]) -> list[ImportEntry]:
    """Drop facts without an id whose text equals that of an existing fact."""
    if not any(entry.fact_key for entry in entries):
        return entries
    known: set[str | None] = set()
    for kind in FACT_KINDS:
        async for page in lookup.iter_pages(store, namespaces.memories(user, kind)):
            known.update(fact_key(kind, item.value["text"]) for item in page)
    return [entry for entry in entries if entry.fact_key not in known]


async def _put_ops(store: BaseStore, entries: Sequence[ImportEntry]) -> list[PutOp]:
    places = [(space, entry.key) for entry in entries for space in (entry.namespace, *entry.other_namespaces)]
    items = await batches.get(store, [GetOp(*place, refresh_ttl=False) for place in places])
    existing = {place: item.value for place, item in zip(places, items, strict=True) if item is not None}
    return [op for entry in entries for op in entry.put_ops(existing)]


async def _split_lines(body: AsyncIterable[bytes]) -> AsyncIterator[list[bytes]]:
    """Split chunks into lines. The last line may lack a newline."""
    rest = b""
    async for chunk in body:
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > MAX_LINE_BYTES:  # already too long: let the parser reject it now
            lines, rest = [*lines, rest], b""
        yield lines
    yield [rest]
