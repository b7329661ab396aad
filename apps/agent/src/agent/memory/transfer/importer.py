"""Import of a file into a user's memory: JSON lines, all of them or none, or an export of another application."""

import asyncio
import codecs
from collections.abc import AsyncIterable, AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast, get_args

from langgraph.store.base import BaseStore, GetOp, PutOp

from agent.errors import FileTooLargeError, InvalidInputError
from agent.language.message_analysis import MessageContent
from agent.memory.editing.fact_limit import count_facts
from agent.memory.editing.limited_library import LimitedLibrary
from agent.memory.records import batches, lookup, namespaces
from agent.memory.records.changes import write_memories
from agent.memory.transfer import jsonl
from agent.memory.transfer.foreign.formats import ImportFormat, is_foreign
from agent.memory.transfer.foreign_file import ForeignFile
from agent.memory.transfer.import_file import COMMON_LABELS, ImportEntry, ImportFile, fact_key_of
from agent.text_process import analyse
from agent.types import FACT_KINDS, HitKind, UserId

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of a file of JSON lines, which are all kept until its end."""
HEAD_BYTES = 64 * 1024
"""Size of the beginning of a file from which its format is recognised."""
PREVIEW_ENTRIES = 100


@dataclass(frozen=True, slots=True)
class ImportedEntry:
    """A memory, or a message for the inbox, that is imported."""

    kind: HitKind
    text: str
    ts: str


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The outcome of an import, in lines or, for an export of another application, in memories and messages."""

    imported: int
    unchanged: int
    pending: int
    """How many of those imported are inbox items."""
    facts: int
    """The number of facts that the user has now."""
    max_facts: int
    format: ImportFormat = "keepsake"
    skipped: Mapping[str, int] = field(default_factory=dict)
    """What is not imported from an export of another application, by reason."""
    preview: Sequence[ImportedEntry] = ()
    """The first of what is imported, at most `PREVIEW_ENTRIES`."""

    @property
    def warning(self) -> str | None:
        """What happens to facts above the limit; None if there are none."""
        if self.facts <= self.max_facts:
            return None
        return (
            f"The memory contains {self.facts:,} facts, and the limit is {self.max_facts:,} (KEEPSAKE_MAX_FACTS). When "
            "the next message is processed, the least certain facts above the limit move to history. Pinned facts and "
            "those that matter for every message stay."
        )


async def import_file(  # noqa: PLR0913 - the file, and how to read it
    library: LimitedLibrary,
    user: UserId,
    body: AsyncIterable[bytes],
    *,
    file_format: ImportFormat = "auto",
    dry_run: bool = False,
    max_facts: int,
) -> ImportResult:
    """Import a file, given in chunks of any size.

    A line with an `id` replaces the fields that it contains in that item. A line without one gets an id that is
    derived from its content, so that importing a file twice leaves one copy and keeps edits made in between. The same
    applies to exports of other applications; see `ForeignFile`.

    Args:
        library: the memories of all users.
        user: the owner of the imported ones.
        body: the file.
        file_format: its format.
        dry_run: write nothing, and return what an import would do.
        max_facts: the limit of facts, for the result.

    Raises:
        InvalidInputError: a line is invalid; the message contains its number, starting at 1.
        EmbedderUnavailableError: the texts could not be embedded.
        StoreUnavailableError: the database is unavailable.
        LimitExceededError: the user would have too many memories, or has embedded too much.
    """
    head, rest = await _read_head(body)
    if file_format == "keepsake" or (file_format == "auto" and not is_foreign(head)):
        file, chunks = ImportFile(user), _chain(head, rest)
        await _read_lines(file, chunks if dry_run else library.metered(user, chunks))
        return await _import(library, user, file.entries.values(), file.count, max_facts, dry_run=dry_run)
    foreign = ForeignFile(user, None if file_format == "auto" else file_format)
    await foreign.read(_chain(head.removeprefix(codecs.BOM_UTF8), rest))
    if not dry_run:
        await library.usage.spend(user, {"embedded_bytes": foreign.text_bytes})
    result = await _import(library, user, foreign.entries, len(foreign.entries), max_facts, dry_run=dry_run)
    return replace(result, format=foreign.format, skipped=dict(foreign.skipped))


async def _import(  # noqa: PLR0913 - see `import_file`
    library: LimitedLibrary,
    user: UserId,
    found: Collection[ImportEntry],
    count: int,
    max_facts: int,
    *,
    dry_run: bool,
) -> ImportResult:
    store = library.store
    entries = await _without_known_facts(store, user, list(found))
    ops: list[PutOp] = []
    for start in range(0, len(entries), lookup.PAGE_SIZE):
        ops += await _put_ops(store, entries[start : start + lookup.PAGE_SIZE])
    async with library.adding(user):
        await library.check_count(user, added=sum(_writes_memory(op) for op in ops))
        if not dry_run:
            await write_memories(store, ops)
    written = [op for op in ops if op.value is not None]
    pending = sum(op.namespace == namespaces.inbox(user) for op in written)
    facts = await count_facts(store, user)
    preview = [_preview(op) for op in written if op.namespace[-1] in get_args(HitKind)]
    return ImportResult(
        len(written), count - len(written), pending, facts, max_facts, preview=preview[:PREVIEW_ENTRIES]
    )


async def _read_head(body: AsyncIterable[bytes]) -> tuple[bytes, AsyncIterator[bytes]]:
    """Read at least `HEAD_BYTES`, or all; return them and the rest."""
    chunks, head = aiter(body), b""
    while len(head) < HEAD_BYTES and (chunk := await anext(chunks, None)) is not None:
        head += chunk
    return head, chunks


async def _chain(head: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield head
    async for chunk in rest:
        yield chunk


async def _read_lines(file: ImportFile, body: AsyncIterable[bytes]) -> None:
    size = 0
    async for lines in _split_lines(body):
        size += sum(map(len, lines))
        if size > MAX_BYTES:
            raise FileTooLargeError(f"a file of JSON lines has at most {MAX_BYTES} bytes; import the rest separately")
        parsed = await asyncio.to_thread(file.parse, lines)  # JSON and short texts
        texts = [line.text for line in parsed if isinstance(line, jsonl.AnyInboxLine)]
        contents = await analyse(_analyse_all, texts, chars=sum(map(len, texts)))
        await asyncio.to_thread(file.add, parsed, contents)
    if not file.entries:
        raise InvalidInputError('the file is empty; a line looks like {"kind": "user", "text": "Lives in Oslo"}')


def _writes_memory(op: PutOp) -> bool:
    return op.value is not None and op.namespace[COMMON_LABELS - 1] == "memories"


def _preview(op: PutOp) -> ImportedEntry:
    value = op.value or {}
    return ImportedEntry(cast("HitKind", op.namespace[-1]), value.get("text", ""), value.get("ts", ""))


def _analyse_all(texts: Sequence[str]) -> list[MessageContent]:
    return [MessageContent.of(text.strip()) for text in texts]


async def _without_known_facts(store: BaseStore, user: UserId, entries: list[ImportEntry]) -> list[ImportEntry]:
    if not any(entry.fact_key for entry in entries):
        return entries
    known: set[str | None] = set()
    for kind in FACT_KINDS:
        async for page in lookup.iter_pages(store, namespaces.memories(user, kind)):
            known.update(fact_key_of(kind, item.value["text"]) for item in page)
    return [entry for entry in entries if entry.fact_key not in known]


async def _put_ops(store: BaseStore, entries: Sequence[ImportEntry]) -> list[PutOp]:
    places = [(space, entry.key) for entry in entries for space in (entry.namespace, *entry.other_namespaces)]
    items = await batches.get(store, [GetOp(*place, refresh_ttl=False) for place in places])
    existing = {place: item.value for place, item in zip(places, items, strict=True) if item is not None}
    return [op for entry in entries for op in entry.put_ops(existing)]


async def _split_lines(body: AsyncIterable[bytes]) -> AsyncIterator[list[bytes]]:
    rest = b""
    async for chunk in body:
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > jsonl.MAX_LINE_BYTES:  # already too long: let the parser reject it now
            lines, rest = [*lines, rest], b""
        yield lines
    yield [rest]
