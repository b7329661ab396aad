"""The lines that memories travel as: one JSON object each, of a memory's document with its `id` and its `kind`.

What is no memory says its `place`: an item of the `inbox`, or one of the `retired`. It comes back to there, and to no
other place.
"""

import codecs
import json
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from langgraph.store.base import PutOp, SearchItem
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import PydanticCustomError, from_json

from agent.errors import InvalidInputError, InvalidTextError
from agent.memory import namespaces
from agent.memory.documents import as_value, derived_id
from agent.memory.gate import normalised, refusal
from agent.memory.inbox import InboxItem
from agent.memory.library import rememberable
from agent.memory.namespaces import Namespace
from agent.text import MAX_MESSAGE_CHARS, checked_text
from agent.types import KINDS, Category, Kind, Memory, MemoryId, MessageId, ThreadId, UserId

MAX_LINES = 50_000
MAX_LINE_BYTES = 512 * 1024  # an item of the inbox with a long answer, or a memory confirmed a thousand times
MAX_FAULTS_CHARS = 300

FACTS: tuple[Kind, ...] = ("user", "procedural")
"""The kinds of which the same words are the same memory. An episode may happen again."""

# What `GET /memories` shows of a memory's sources, and of a search: a line may have it, and it says nothing new.
_SHOWN = ("quote", "source_message", "score")
# JSON may hold these as they are, and many programs would end a line there.
_SEPARATORS = str.maketrans({char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"})
_HOME = 3  # labels of a namespace that all kinds of memories have in common


def as_line(item: SearchItem, **head: str) -> bytes:
    """Return a document as a line that begins with a head, without the fields that follow from others."""
    rest = {name: value for name, value in item.value.items() if name not in ("type", "recallable")}
    return json.dumps(head | rest, ensure_ascii=False).translate(_SEPARATORS).encode() + b"\n"


def words_of(kind: Kind, text: str) -> str:
    """Return what makes a fact the same memory as another."""
    return f"{kind}: {normalised(text)}"


@dataclass(frozen=True, slots=True)
class Entry:
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


class File:
    """What a file of lines says so far, of one user; the only place where it changes."""

    def __init__(self, user: UserId) -> None:
        self.entries: dict[tuple[Namespace, str], Entry] = {}
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
                self._take(_parsed(line))
            except InvalidInputError as error:
                raise type(error)(f"line {self._number}: {error}") from error

    def _take(self, line: "_Line") -> None:
        if self.count > MAX_LINES:
            raise InvalidInputError(f"at most {MAX_LINES} lines come at once; send the others by themselves")
        entry = self._of_inbox(line) if isinstance(line, _InboxLine) else self._of_memory(line)
        before = self.entries.setdefault((entry.place[:_HOME], entry.key), entry)
        if entry.named and (before.place, before.said) != (entry.place, entry.said):
            raise InvalidInputError("an earlier line has the same id, and says something else")

    def _of_inbox(self, line: "_InboxLine") -> Entry:
        """Return an item of the inbox, which holds what was said as it was said, and shows it only if that may be."""
        text = checked_text(line.text, max_chars=MAX_MESSAGE_CHARS)
        item = InboxItem(MessageId(line.id), ThreadId(line.source_thread), text, line.ts, line.answer)
        return Entry(namespaces.inbox(self._user), line.id, item.as_value(), indexed=item.recallable)

    def _of_memory(self, line: "_MemoryLine | _RetiredLine") -> Entry:
        if reason := next(filter(None, (refusal(source.quote) for source in line.sources)), None):
            raise InvalidTextError(f"its quote is not kept ({reason})")
        said = line.model_dump(exclude_unset=True, exclude_none=True, exclude={"place", "id", "kind"})
        said |= {"type": line.kind, "text": rememberable(line.text)}
        if isinstance(line, _RetiredLine):
            return Entry(namespaces.retired(self._user), line.id, said, indexed=False)
        moment = line.ts or (self._moment + timedelta(microseconds=self._number)).isoformat()
        thread = self._conversation if line.kind == "episodic" else ""
        key, words = (line.id, None) if line.id else self._name(line)
        return Entry(
            place=namespaces.memories(self._user, line.kind),
            key=key,
            said=said,
            otherwise=as_value(Memory(MemoryId(key), line.kind, line.text, moment, thread)),
            words=words,
            named=line.id is not None,
            elsewhere=tuple(namespaces.memories(self._user, kind) for kind in KINDS if kind != line.kind),
        )

    def _name(self, line: "_MemoryLine") -> tuple[MemoryId, str | None]:
        """Return an id that is the same whenever the same line comes again, and a fact's words."""
        if line.kind in FACTS:
            words = words_of(line.kind, line.text)
            return derived_id(self._user, "import", words), words
        alike = (line.kind, line.source_thread, line.text, line.ts or "")
        self._alike[alike] += 1
        return derived_id(self._user, "import", *alike, str(self._alike[alike])), None


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise PydanticCustomError("nul", "It holds a NUL")
    return text


def _uuid(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError as error:
        raise PydanticCustomError("uuid", "It must be a UUID") from error


def _in_utc(text: str) -> str:
    """Return a moment as memories keep it, which sorts as text."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        pass
    raise PydanticCustomError("moment", "It must be as 2026-05-01T09:30:00Z, with the time zone")


_Id = Annotated[str, AfterValidator(_uuid)]
_Moment = Annotated[str, AfterValidator(_in_utc)]
_Words = Annotated[str, AfterValidator(_without_nul)]
_Name = Annotated[_Words, StringConstraints(max_length=100)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _SourceOfLine(_Strict):
    thread: _Name
    message: _Name
    quote: _Words
    ts: _Moment


class _Remembered(_Strict):
    kind: Kind
    text: str
    ts: _Moment | None = None
    source_thread: _Name = ""
    category: Category = "personal"
    confidence: Annotated[float, Field(ge=0, le=1)] = 1.0
    sources: list[_SourceOfLine] = []
    confirmed: Annotated[int, Field(ge=1)] = 1
    last_seen: _Moment | None = None


class _MemoryLine(_Remembered):
    place: Literal["memories"] = "memories"
    id: _Id | None = None


class _RetiredLine(_Remembered):
    """It keeps what else its retirement says, in whatever fields."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, _Words]

    place: Literal["retired"]
    id: _Id


class _InboxLine(_Strict):
    place: Literal["inbox"]
    id: _Id
    text: str
    source_thread: _Id
    ts: _Moment
    answer: _Words = ""


_Line = _MemoryLine | _RetiredLine | _InboxLine
_PLACES: Mapping[str, type[_Line]] = {"memories": _MemoryLine, "retired": _RetiredLine, "inbox": _InboxLine}


def _parsed(line: bytes) -> _Line:
    """Read a line.

    Raises:
        InvalidInputError: it is too long, no JSON, or not as a line must be.
    """
    if len(line) > MAX_LINE_BYTES:
        raise InvalidInputError(f"it has more than {MAX_LINE_BYTES} bytes")
    try:
        fields = from_json(line.removeprefix(codecs.BOM_UTF8), allow_inf_nan=False)
        if not isinstance(fields, dict):
            raise InvalidInputError("it is no JSON object")
        model = _PLACES.get(str(fields.get("place", "memories")))
        if model is None:
            raise InvalidInputError(f"place: It must be one of {', '.join(_PLACES)}")
        return model.model_validate({name: value for name, value in fields.items() if name not in _SHOWN})
    except ValidationError as error:
        # What was sent is not repeated: it may be a secret.
        faults = error.errors(include_input=False, include_url=False, include_context=False)
        told = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
        raise InvalidInputError(told[:MAX_FAULTS_CHARS]) from error
    except ValueError as error:
        raise InvalidInputError(f"it is no JSON: {str(error).replace('line 1 ', '')}") from error
