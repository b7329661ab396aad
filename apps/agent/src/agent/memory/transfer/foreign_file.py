"""An export of another application as documents to write.

Its memories are in the words of that application, which may come from anywhere: they are imported as reported by it.
Its user's own messages become inbox items with their original times, so that formation processes them like any other
message; what states nothing, is too long to be typed, or is not kept for another reason is skipped and counted.
"""

import asyncio
import heapq
import itertools
import re
from collections import Counter
from collections.abc import AsyncIterable, Callable, Sequence
from typing import TypeVar

from agent.errors import FileTooLargeError, InvalidInputError
from agent.language.facts.addressed import is_standing_instruction
from agent.language.grounding.checks import rejection_reason
from agent.language.message_analysis import MessageContent
from agent.memory.editing.report import CONFIDENCE
from agent.memory.records import namespaces
from agent.memory.records.documents import derived_id, to_document
from agent.memory.records.inbox import InboxItem
from agent.memory.transfer.foreign.entries import ForeignMemory, ForeignMessage, Record
from agent.memory.transfer.foreign.formats import FORMATS, ForeignFormat, format_of
from agent.memory.transfer.foreign.record_reader import RecordReader
from agent.memory.transfer.import_file import ImportEntry, fact_key_of
from agent.text import MAX_MEMORY_CHARS, replace_unstorable
from agent.text_process import analyse
from agent.timestamps import now
from agent.types import KINDS, Memory, MessageId, ThreadId, UserId

MAX_BYTES = 512 * 1024 * 1024
MAX_MEMORIES = 10_000
MAX_MESSAGES = 5_000
"""The latest messages are imported: formation makes one model call per conversation and batch."""
MAX_TYPED_CHARS = 2_000
"""Longer messages are mostly pasted texts, which are no source of memories."""
MAX_ANSWER_CHARS = 500
"""The end of an answer, which may contain the question that the next message answers."""
CHUNK_BYTES = 64 * 1024
BATCH_SIZE = 250

T = TypeVar("T")

_PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ForeignFile:
    """Reads an export for one user."""

    def __init__(self, user: UserId, file_format: ForeignFormat | None) -> None:
        self.entries: list[ImportEntry] = []
        self.skipped: Counter[str] = Counter()
        """What is not imported, by reason."""
        self.text_bytes = 0
        """The size of the texts in `entries`."""
        self._user = user
        self._format = file_format
        self._reader = RecordReader()
        self._memories: dict[str, ForeignMemory] = {}
        """The memories read so far, by their words."""
        self._numbers = itertools.count()
        self._messages: list[tuple[str, int, ForeignMessage]] = []
        """A heap, the oldest first."""
        self._count = 0

    @property
    def format(self) -> ForeignFormat:
        """The format of the file, which is known once a record was read."""
        if self._format is None:
            raise InvalidInputError("the format of the file is unknown: name it, if it is one of " + ", ".join(FORMATS))
        return self._format

    async def read(self, body: AsyncIterable[bytes]) -> None:
        """Read the file to its end.

        Raises:
            InvalidInputError: the file is not valid JSON, or not in its format, or too large.
        """
        size = 0
        async for chunk in body:
            size += len(chunk)
            if size > MAX_BYTES:
                raise FileTooLargeError(f"an export has at most {MAX_BYTES} bytes")
            for start in range(0, len(chunk), CHUNK_BYTES):  # other requests run in between
                await asyncio.to_thread(self._feed, chunk[start : start + CHUNK_BYTES])
        self._feed(b"")
        if not self._count:
            raise InvalidInputError("the file contains nothing")
        await self._admit()

    def _feed(self, chunk: bytes) -> None:
        for record in self._reader.feed(chunk):
            self._count += 1
            self._format = self._format or format_of(record)
            self._collect(record)

    def _collect(self, record: Record) -> None:
        for entry in FORMATS[self.format].read(record):
            text = replace_unstorable(entry.text).strip()
            if isinstance(entry, ForeignMemory):
                self._memories.setdefault(fact_key_of("user", text), ForeignMemory(text, entry.ts))
                if len(self._memories) > MAX_MEMORIES:
                    raise InvalidInputError(f"a file has at most {MAX_MEMORIES} memories; import the rest separately")
            elif len(text) > MAX_TYPED_CHARS:
                self.skipped["too_long"] += 1
            else:
                self._add_message(entry, text)

    def _add_message(self, entry: ForeignMessage, text: str) -> None:
        answer = replace_unstorable(entry.answer)[-MAX_ANSWER_CHARS:]
        message = ForeignMessage(entry.id, entry.conversation, text, entry.ts, answer)
        heapq.heappush(self._messages, (entry.ts, next(self._numbers), message))
        if len(self._messages) > MAX_MESSAGES:
            heapq.heappop(self._messages)
            self.skipped["too_old"] += 1

    async def _admit(self) -> None:
        """Turn what passes the gates into entries."""
        memories = list(self._memories.values())
        reasons = await _in_batches(_memory_refusals, [memory.text for memory in memories])
        for memory, reason in zip(memories, reasons, strict=True):
            self._add(self._memory_entry(memory), reason)
        messages = [message for *_, message in sorted(self._messages)]
        analyses = await _in_batches(_analyse_messages, [message.text for message in messages])
        for message, (reason, content) in zip(messages, analyses, strict=True):
            self._add(self._inbox_entry(message, content), reason)

    def _add(self, entry: ImportEntry, reason: str | None) -> None:
        if reason is not None:
            self.skipped[reason] += 1
            return
        self.entries.append(entry)
        self.text_bytes += len({**entry.defaults, **entry.fields}["text"].encode())

    def _memory_entry(self, memory: ForeignMemory) -> ImportEntry:
        fact_key = fact_key_of("user", memory.text)
        key, ts = derived_id(self._user, "import", fact_key), memory.ts or now()
        document = to_document(
            Memory(key, "user", memory.text, ts, confidence=CONFIDENCE, reported_by=FORMATS[self.format].application)
        )
        namespace = namespaces.memories(self._user, "user")
        others = tuple(namespaces.memories(self._user, kind) for kind in KINDS if kind != "user")
        return ImportEntry(namespace, key, {}, document, fact_key=fact_key, has_own_id=False, other_namespaces=others)

    def _inbox_entry(self, message: ForeignMessage, content: MessageContent) -> ImportEntry:
        conversation = message.conversation
        if not _PLAIN_ID.fullmatch(conversation):
            conversation = derived_id(self._user, conversation)
        parts = (self.format, message.conversation, message.id, message.ts, message.text)
        key = derived_id(self._user, "import", *parts)
        thread = ThreadId(f"{self.format}:{conversation}")
        item = InboxItem(MessageId(key), thread, message.text, message.ts, message.answer, content=content)
        return ImportEntry(namespaces.inbox(self._user), key, item.as_value(), has_own_id=False)


async def _in_batches(function: Callable[[Sequence[str]], list[T]], texts: Sequence[str]) -> list[T]:
    results: list[T] = []
    for start in range(0, len(texts), BATCH_SIZE):
        batch = texts[start : start + BATCH_SIZE]
        results += await analyse(function, batch, chars=sum(map(len, batch)))
    return results


def _memory_refusals(texts: Sequence[str]) -> list[str | None]:
    return [_memory_refusal(text) for text in texts]


def _memory_refusal(text: str) -> str | None:
    if not text:
        return "empty"
    if len(text) > MAX_MEMORY_CHARS:
        return "too_long"
    return rejection_reason(text) or ("instructions" if is_standing_instruction(text) else None)


def _analyse_messages(texts: Sequence[str]) -> list[tuple[str | None, MessageContent]]:
    contents = [MessageContent.of(text) for text in texts]
    return [
        (None if content.recallable else rejection_reason(text) or "no_statement", content)
        for text, content in zip(texts, contents, strict=True)
    ]
