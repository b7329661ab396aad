"""The lines of an import as documents to write."""

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.store.base import PutOp

from agent.errors import InvalidInputError, InvalidTextError
from agent.language.grounding.checks import normalise, rejection_reason
from agent.language.message_analysis import MessageContent
from agent.memory.editing.library import validate_memory_text
from agent.memory.records import namespaces, profile
from agent.memory.records.documents import derived_id, document_op, to_document
from agent.memory.records.history import RETIREMENT_FIELDS
from agent.memory.records.inbox import InboxItem
from agent.memory.records.namespaces import Namespace
from agent.memory.records.profile import Profile, Sentence
from agent.memory.transfer import jsonl
from agent.text import MAX_MESSAGE_CHARS, validate_text
from agent.types import FACT_KINDS, KINDS, Kind, Memory, MemoryId, MessageId, ThreadId, UserId

MAX_LINES = 50_000

NULLABLE_FIELDS = ("until", "reported_by")
"""Null: a memory is unlimited; it consists of the user's own words."""
COMMON_LABELS = 3  # ("users", user, "memories"): shared by the namespaces of all kinds


@dataclass(frozen=True, slots=True)
class ImportEntry:
    """A document that an imported line writes."""

    namespace: Namespace
    key: str
    fields: Mapping[str, Any]
    """The fields that the line contains."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """The other fields of a new document."""
    fact_key: str | None = None
    """Set for a fact without an id."""
    has_own_id: bool = True
    """False if the key was derived from the content."""
    other_namespaces: tuple[Namespace, ...] = ()
    """Namespaces of the other kinds, from which a memory with the same id moves here."""

    def put_ops(self, existing: Mapping[tuple[Namespace, str], Mapping[str, Any]]) -> list[PutOp]:
        """The operations that write the document, given the existing documents; empty if nothing changes."""
        spaces = [space for space in (*self.other_namespaces, self.namespace) if (space, self.key) in existing]
        value = dict(self.defaults)
        for part in (*(existing[space, self.key] for space in spaces), self.fields):
            value |= part
        # A document of an earlier version may lack fields that have defaults.
        if self.namespace in spaces and (
            not self.has_own_id or value == {**self.defaults, **existing[self.namespace, self.key]}
        ):
            return []
        deletions = [PutOp(space, self.key, None) for space in spaces if space != self.namespace]
        return [*deletions, document_op(self.namespace, self.key, value)]


class ImportFile:
    """Reads the lines of a file for one user, and collects their entries."""

    def __init__(self, user: UserId) -> None:
        self.entries: dict[tuple[Namespace, str], ImportEntry] = {}
        self.count = 0
        """Number of lines read, without empty ones."""
        self._user = user
        self._number = 0
        self._start = datetime.now(UTC)
        self._thread = str(uuid.uuid4())
        self._repetitions: Counter[tuple[str, ...]] = Counter()

    def parse(self, lines: Sequence[bytes]) -> list[jsonl.Line | None]:
        """Parse more lines, None for an empty one; see `importer.import_file` for the errors."""
        return [self._parse(line, number) for number, line in enumerate(lines, self._number + 1)]

    def add(self, lines: Sequence[jsonl.Line | None], contents: Sequence[MessageContent]) -> None:
        """Add the parsed lines, with the analyses of those that are inbox items, in order."""
        remaining = iter(contents)
        for line in lines:
            self._number += 1
            if line is None:
                continue
            self.count += 1
            try:
                self._add(line, remaining)
            except InvalidInputError as error:
                raise type(error)(f"line {self._number}: {error}") from error

    def _parse(self, line: bytes, number: int) -> jsonl.Line | None:
        try:
            return jsonl.parse_line(line) if line and not line.isspace() else None
        except InvalidInputError as error:
            raise type(error)(f"line {number}: {error}") from error

    def _add(self, line: jsonl.Line, contents: Iterator[MessageContent]) -> None:
        if self.count > MAX_LINES:
            raise InvalidInputError(f"a file has at most {MAX_LINES} lines; import the remaining lines separately")
        entry = self._entry(line, contents)
        earlier = self.entries.setdefault((entry.namespace[:COMMON_LABELS], entry.key), entry)
        if entry.has_own_id and (earlier.namespace, earlier.fields) != (entry.namespace, entry.fields):
            raise InvalidInputError("an earlier line has the same id but different content")

    def _entry(self, line: jsonl.Line, contents: Iterator[MessageContent]) -> ImportEntry:
        match line:
            case jsonl.MemoryLine():
                return self._memory_entry(line)
            case jsonl.InboxLine():
                return ImportEntry(namespaces.inbox(self._user), line.id, _inbox_fields(line, next(contents)))
            case jsonl.ProfileLine():
                sentences = {name: tuple(map(_sentence, lines)) for name, lines in line.sentences.items()}
                value = Profile(sentences, line.last_updated).as_value()
                return ImportEntry(namespaces.profile(self._user), profile.KEY, value)
            case jsonl.RetiredLine():
                fields = _memory_fields(line)
            case jsonl.RetiredItemLine():
                fields = _inbox_fields(line, next(contents))
            case jsonl.RetiredSentenceLine():
                fields = {"field": line.field, **_sentence(line).as_dict()}
        return ImportEntry(namespaces.retired(self._user), line.id, fields | line.retirement() | {"place": line.kind})

    def _memory_entry(self, line: jsonl.MemoryLine) -> ImportEntry:
        # Without a time, lines follow one another by a microsecond; without a thread, episodes are one conversation.
        ts = line.ts or (self._start + timedelta(microseconds=self._number)).isoformat()
        thread = self._thread if line.kind == "episodic" else ""
        fact_key = None
        if line.id:
            key = MemoryId(line.id)
        elif line.kind in FACT_KINDS:
            fact_key = fact_key_of(line.kind, line.text)
            key = derived_id(self._user, "import", fact_key)
        else:
            content = (line.kind, line.source_thread, line.text, line.ts or "")
            self._repetitions[content] += 1
            key = derived_id(self._user, "import", *content, str(self._repetitions[content]))
        return ImportEntry(
            namespace=namespaces.memories(self._user, line.kind),
            key=key,
            fields=_memory_fields(line),
            defaults=to_document(Memory(key, line.kind, line.text, ts, thread, reported_by=line.reported_by)),
            fact_key=fact_key,
            has_own_id=line.id is not None,
            other_namespaces=tuple(namespaces.memories(self._user, kind) for kind in KINDS if kind != line.kind),
        )


def fact_key_of(kind: Kind, text: str) -> str:
    """Equal for facts with the same words."""
    return f"{kind}: {normalise(text)}"


def _memory_fields(line: jsonl.MemoryLine | jsonl.RetiredLine) -> dict[str, Any]:
    if reason := next(filter(None, (rejection_reason(source.quote) for source in line.sources)), None):
        raise InvalidTextError(f"its quote is not kept ({reason})")
    excluded = {"id", "kind", "place", *RETIREMENT_FIELDS}
    fields = line.model_dump(exclude_unset=True, exclude=excluded)
    # A null stands for a missing value, except where it means something.
    fields = {name: value for name, value in fields.items() if value is not None or name in NULLABLE_FIELDS}
    return fields | {"type": line.kind, "text": validate_memory_text(line.text)}


def _inbox_fields(line: jsonl.AnyInboxLine, content: MessageContent) -> dict[str, Any]:
    text = validate_text(line.text, max_chars=MAX_MESSAGE_CHARS)
    item = InboxItem(
        MessageId(line.id),
        ThreadId(line.source_thread),
        text,
        line.ts,
        line.answer,
        standing=line.standing,
        time_zone=line.time_zone,
        read_tools=line.read_tools,
        follows=tuple(map(MessageId, line.follows)),
        corrects=line.corrects,
        content=content,
    )
    return item.as_value()


def _sentence(line: jsonl.ProfileSentence) -> Sentence:
    return Sentence(validate_memory_text(line.text), tuple(line.messages), line.ts)
