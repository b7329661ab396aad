"""The lines of an imported file as entries of the store."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from langgraph.store.base import PutOp

from agent.errors import InvalidInputError, InvalidTextError
from agent.language.grounding import normalise, rejection_reason
from agent.memory.editing.library import validate_memory_text
from agent.memory.records import namespaces, profile
from agent.memory.records.documents import derived_id, to_document
from agent.memory.records.inbox import InboxItem
from agent.memory.records.namespaces import Namespace
from agent.memory.records.profile import Profile, Sentence
from agent.memory.records.retirement import RETIREMENT_FIELDS
from agent.memory.transfer.jsonl import parse_line
from agent.memory.transfer.jsonl_models import (
    InboxLine,
    Line,
    MemoryLine,
    ProfileLine,
    ProfileSentence,
    RetiredItemLine,
    RetiredLine,
    RetiredSentenceLine,
)
from agent.text import MAX_MESSAGE_CHARS, validate_text
from agent.types import FACT_KINDS, KINDS, Kind, Memory, MemoryId, MessageId, ThreadId, UserId

MAX_LINES = 50_000

_COMMON_LABELS = 3  # ("users", user, "memories"): shared by the namespaces of all kinds


def fact_key(kind: Kind, text: str) -> str:
    """The key by which two facts are the same."""
    return f"{kind}: {normalise(text)}"


@dataclass(frozen=True, slots=True)
class ImportEntry:
    """A document that an imported line writes."""

    namespace: Namespace
    key: str
    fields: Mapping[str, Any]
    """The fields that the line contains."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """The other fields of a new document."""
    indexed: bool = True
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
        if self.namespace in spaces and (not self.has_own_id or value == existing[self.namespace, self.key]):
            return []
        deletions = [PutOp(space, self.key, None) for space in spaces if space != self.namespace]
        index: Literal[False] | list[str] = namespaces.INDEXED_FIELDS if self.indexed else False
        return [*deletions, PutOp(self.namespace, self.key, value, index=index)]


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

    def read(self, lines: Sequence[bytes]) -> None:
        """Read more lines.

        Raises:
            InvalidInputError: a line is invalid; the message contains its number, starting at 1.
        """
        for line in lines:
            self._number += 1
            if not line or line.isspace():
                continue
            self.count += 1
            try:
                self._add(parse_line(line))
            except InvalidInputError as error:
                raise type(error)(f"line {self._number}: {error}") from error

    def _add(self, line: Line) -> None:
        if self.count > MAX_LINES:
            raise InvalidInputError(f"a file has at most {MAX_LINES} lines; import the remaining lines separately")
        entry = self._entry(line)
        earlier = self.entries.setdefault((entry.namespace[:_COMMON_LABELS], entry.key), entry)
        if entry.has_own_id and (earlier.namespace, earlier.fields) != (entry.namespace, entry.fields):
            raise InvalidInputError("an earlier line has the same id but different content")

    def _entry(self, line: Line) -> ImportEntry:
        match line:
            case MemoryLine():
                return self._memory_entry(line)
            case InboxLine():
                item = _inbox_item(line)
                return ImportEntry(namespaces.inbox(self._user), line.id, item.as_value(), indexed=item.recallable)
            case ProfileLine():
                value = _profile(line).as_value()
                return ImportEntry(namespaces.profile(self._user), profile.KEY, value, indexed=False)
            case RetiredLine():
                fields = _memory_fields(line)
            case RetiredItemLine():
                fields = _inbox_item(line).as_value()
            case RetiredSentenceLine():
                fields = {"field": line.field, **_sentence(line).as_dict()}
        fields |= line.retirement() | {"place": line.kind}
        return ImportEntry(namespaces.retired(self._user), line.id, fields, indexed=False)

    def _memory_entry(self, line: MemoryLine) -> ImportEntry:
        # Without a time, lines follow one another by a microsecond; without a thread, episodes are one conversation.
        ts = line.ts or (self._start + timedelta(microseconds=self._number)).isoformat()
        thread = self._thread if line.kind == "episodic" else ""
        key, words = (line.id, None) if line.id else self._derived_key(line)
        return ImportEntry(
            namespace=namespaces.memories(self._user, line.kind),
            key=key,
            fields=_memory_fields(line),
            defaults=to_document(Memory(MemoryId(key), line.kind, line.text, ts, thread)),
            fact_key=words,
            has_own_id=line.id is not None,
            other_namespaces=tuple(namespaces.memories(self._user, kind) for kind in KINDS if kind != line.kind),
        )

    def _derived_key(self, line: MemoryLine) -> tuple[MemoryId, str | None]:
        """An id that is the same each time the file is imported, and the `fact_key` of a fact."""
        if line.kind in FACT_KINDS:
            words = fact_key(line.kind, line.text)
            return derived_id(self._user, "import", words), words
        content = (line.kind, line.source_thread, line.text, line.ts or "")
        self._repetitions[content] += 1
        return derived_id(self._user, "import", *content, str(self._repetitions[content])), None


def _memory_fields(line: MemoryLine | RetiredLine) -> dict[str, Any]:
    """The fields of a memory's document that a line contains."""
    if reason := next(filter(None, (rejection_reason(source.quote) for source in line.sources)), None):
        raise InvalidTextError(f"its quote is not kept ({reason})")
    excluded = {"id", "kind", "place", *RETIREMENT_FIELDS}
    fields = line.model_dump(exclude_unset=True, exclude_none=True, exclude=excluded)
    return fields | {"type": line.kind, "text": validate_memory_text(line.text)}


def _inbox_item(line: InboxLine | RetiredItemLine) -> InboxItem:
    text = validate_text(line.text, max_chars=MAX_MESSAGE_CHARS)
    return InboxItem(MessageId(line.id), ThreadId(line.source_thread), text, line.ts, line.answer)


def _profile(line: ProfileLine) -> Profile:
    sentences = {name: tuple(map(_sentence, field)) for name, field in line.sentences.items()}
    return Profile(sentences, line.last_updated)


def _sentence(line: ProfileSentence) -> Sentence:
    return Sentence(validate_memory_text(line.text), tuple(line.messages), line.ts)
