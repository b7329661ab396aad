"""The lines that memories travel as: one JSON object each, of a memory's document with its `id` and its `kind`.

What is no memory says its `place`: an item of the `inbox`, the `profile`, or one of the `retired`, whose `kind` is what
it was. It comes back to there, and to no other place.
"""

import json
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.store.base import PutOp, SearchItem

from agent.errors import InvalidInputError, InvalidTextError
from agent.language.grounding import normalise, rejection_reason
from agent.memory.editing.library import validate_memory_text
from agent.memory.records import namespaces, profile
from agent.memory.records.documents import derived_id, to_document
from agent.memory.records.inbox import InboxItem
from agent.memory.records.namespaces import Namespace
from agent.memory.records.profile import Profile, Sentence
from agent.memory.records.retirement import HOW
from agent.memory.transfer.jsonl_models import (
    InboxLine,
    Line,
    MemoryLine,
    ProfileLine,
    RetiredItemLine,
    RetiredLine,
    RetiredSentenceLine,
    SentenceOfLine,
    parsed,
)
from agent.text import MAX_MESSAGE_CHARS, validate_text
from agent.types import FACTS, KINDS, Kind, Memory, MemoryId, MessageId, ThreadId, UserId

MAX_LINES = 50_000

# What follows from other fields or, as how often distilling failed, says something of this installation only.
_LEFT_OUT = frozenset({"type", "place", "recallable", "failed", *profile.FIELDS})
# JSON may hold these as they are, and many programs would end a line there.
_SEPARATORS = str.maketrans({char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"})
_HOME = 3  # labels of a namespace that all kinds of memories have in common


def as_line(item: SearchItem, **head: str) -> bytes:
    """Return a document as a line that begins with a head."""
    rest = {name: value for name, value in item.value.items() if name not in _LEFT_OUT}
    return json.dumps(head | rest, ensure_ascii=False).translate(_SEPARATORS).encode() + b"\n"


def words_of(kind: Kind, text: str) -> str:
    """Return what makes a fact the same memory as another."""
    return f"{kind}: {normalise(text)}"


@dataclass(frozen=True, slots=True)
class ImportEntry:
    """What a line is about to write."""

    place: Namespace
    key: str
    said: Mapping[str, Any]
    """As much of the document as the line says."""
    otherwise: Mapping[str, Any] = field(default_factory=dict)
    """What holds of a new item where the line says nothing."""
    indexed: bool = True
    words: str | None = None
    """Of a fact without an id: its `words_of`."""
    named: bool = True
    """Whether the id is the line's own."""
    elsewhere: tuple[Namespace, ...] = ()
    """Where the id would be a memory of another kind, which it is no longer."""

    def changes(self, known: Mapping[tuple[Namespace, str], Mapping[str, Any]]) -> list[PutOp]:
        """Return what it takes, given what is there."""
        found = {place: known[place, self.key] for place in (*self.elsewhere, self.place) if (place, self.key) in known}
        value = dict(self.otherwise)
        for part in (*found.values(), self.said):
            value |= part
        if self.place in found and (not self.named or value == found[self.place]):
            return []
        gone = [PutOp(place, self.key, None) for place in found if place != self.place]
        return [*gone, PutOp(self.place, self.key, value, index=namespaces.INDEXED if self.indexed else False)]


class ImportFile:
    """What a file of lines says so far, of one user; the only place where it changes."""

    def __init__(self, user: UserId) -> None:
        self.entries: dict[tuple[Namespace, str], ImportEntry] = {}
        self.count = 0
        self._user = user
        self._number = 0
        self._moment = datetime.now(UTC)
        self._conversation = str(uuid.uuid4())
        self._alike: Counter[tuple[str, ...]] = Counter()

    def read(self, lines: Sequence[bytes]) -> None:
        """Take more lines in.

        Raises:
            InvalidInputError: one is wrong; the message says which, counted from 1.
        """
        for line in lines:
            self._number += 1
            if not line or line.isspace():
                continue
            self.count += 1
            try:
                self._take(parsed(line))
            except InvalidInputError as error:
                raise type(error)(f"line {self._number}: {error}") from error

    def _take(self, line: Line) -> None:
        if self.count > MAX_LINES:
            raise InvalidInputError(f"at most {MAX_LINES} lines come at once; send the others by themselves")
        entry = self._entry(line)
        before = self.entries.setdefault((entry.place[:_HOME], entry.key), entry)
        if entry.named and (before.place, before.said) != (entry.place, entry.said):
            raise InvalidInputError("an earlier line has the same id, and says something else")

    def _entry(self, line: Line) -> ImportEntry:
        match line:
            case MemoryLine():
                return self._of_memory(line)
            case InboxLine():
                item = _item(line)
                return ImportEntry(namespaces.inbox(self._user), line.id, item.as_value(), indexed=item.recallable)
            case ProfileLine():
                return ImportEntry(
                    namespaces.profile(self._user), profile.KEY, _profile(line).as_value(), indexed=False
                )
            case RetiredLine():
                said = _remembered(line)
            case RetiredItemLine():
                said = _item(line).as_value()
            case RetiredSentenceLine():
                said = {"field": line.field, **_sentence(line).as_dict()}
        said |= line.how() | {"place": line.kind}
        return ImportEntry(namespaces.retired(self._user), line.id, said, indexed=False)

    def _of_memory(self, line: MemoryLine) -> ImportEntry:
        moment = line.ts or (self._moment + timedelta(microseconds=self._number)).isoformat()
        thread = self._conversation if line.kind == "episodic" else ""
        key, words = (line.id, None) if line.id else self._name(line)
        return ImportEntry(
            place=namespaces.memories(self._user, line.kind),
            key=key,
            said=_remembered(line),
            otherwise=to_document(Memory(MemoryId(key), line.kind, line.text, moment, thread)),
            words=words,
            named=line.id is not None,
            elsewhere=tuple(namespaces.memories(self._user, kind) for kind in KINDS if kind != line.kind),
        )

    def _name(self, line: MemoryLine) -> tuple[MemoryId, str | None]:
        """Return an id that is the same whenever the same line comes again, and a fact's words."""
        if line.kind in FACTS:
            words = words_of(line.kind, line.text)
            return derived_id(self._user, "import", words), words
        alike = (line.kind, line.source_thread, line.text, line.ts or "")
        self._alike[alike] += 1
        return derived_id(self._user, "import", *alike, str(self._alike[alike])), None


def _remembered(line: MemoryLine | RetiredLine) -> dict[str, Any]:
    """Return as much of a memory's document as a line says."""
    if reason := next(filter(None, (rejection_reason(source.quote) for source in line.sources)), None):
        raise InvalidTextError(f"its quote is not kept ({reason})")
    said = line.model_dump(exclude_unset=True, exclude_none=True, exclude={"id", "kind", "place", *HOW})
    return said | {"type": line.kind, "text": validate_memory_text(line.text)}


def _item(line: InboxLine | RetiredItemLine) -> InboxItem:
    """Return what was said as it was said; others are shown it only if that may be."""
    text = validate_text(line.text, max_chars=MAX_MESSAGE_CHARS)
    return InboxItem(MessageId(line.id), ThreadId(line.source_thread), text, line.ts, line.answer)


def _profile(line: ProfileLine) -> Profile:
    sentences = {name: tuple(map(_sentence, told)) for name, told in line.sentences.items()}
    return Profile(sentences, line.last_updated)


def _sentence(line: SentenceOfLine) -> Sentence:
    return Sentence(validate_memory_text(line.text), tuple(line.messages), line.ts)
