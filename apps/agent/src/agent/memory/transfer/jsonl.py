"""The line format of export and import: one JSON object per line.

A line is the document of a memory with its `id` and `kind`. Other documents have a `place`: `inbox`, `profile` or
`retired`; the `kind` of a retired document is its original location.
"""

import base64
import codecs
import json
import re
import uuid
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Literal

from langgraph.store.base import SearchItem
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import PydanticCustomError, from_json

from agent.errors import InvalidInputError
from agent.memory.records import profile
from agent.memory.records.history import RETIREMENT_FIELDS, Actor, Reason, current_value
from agent.memory.records.mismatches import MAX_MISMATCHES
from agent.memory.records.profile import MAX_SENTENCES, ProfileField
from agent.text import MAX_MEMORY_CHARS, MAX_MESSAGE_CHARS
from agent.types import Category, Kind

MAX_LINE_BYTES = 512 * 1024  # an inbox item with a long answer, or a memory with a thousand sources
MAX_ANSWER_CHARS = 256 * 1024
MAX_LIST = 2_000
"""Sources of a memory, or messages of a sentence."""
MAX_FIELDS = 64
MAX_ERROR_CHARS = 300

_CONVERTED_FIELDS = frozenset({"who", "why"})
# Not exported: derived from other fields, or about this installation only (`failed`).
_OMITTED_FIELDS = frozenset({"type", "place", "recallable", "failed", *profile.FIELDS})
# Accepted and ignored: `GET /memories` adds these to a memory.
_IGNORED_FIELDS = ("quote", "source_message", "score")
# A conversation in an export of another application, as `ForeignFile` names it.
_FOREIGN_THREAD = re.compile(r"(?:chatgpt|claude):[A-Za-z0-9_-]{1,64}")
# Valid in JSON strings, but many programs treat them as line breaks.
_LINE_SEPARATORS = str.maketrans({char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"})


def _reject_nul(text: str) -> str:
    if "\0" in text:
        raise PydanticCustomError("nul", "It contains a NUL character")
    return text


def _canonical_uuid(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError as error:
        raise PydanticCustomError("uuid", "It must be a UUID") from error


def _thread_id(text: str) -> str:
    return text if _FOREIGN_THREAD.fullmatch(text) else _canonical_uuid(text)


def _utc_timestamp(text: str) -> str:
    """Convert to UTC, so that stored timestamps sort as text."""
    try:
        time = datetime.fromisoformat(text)
        if time.tzinfo is not None:
            return time.astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        pass
    raise PydanticCustomError("timestamp", "It must look like 2026-05-01T09:30:00Z, with a time zone")


def _iso_date(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise PydanticCustomError("date", "It must look like 2026-05-01") from error


def _base64(text: str) -> str:
    try:
        base64.b64decode(text, validate=True)
    except ValueError as error:
        raise PydanticCustomError("base64", "It must be base64") from error
    return text


def _current(value: object) -> object:
    return current_value(value) if isinstance(value, str) else value


_Short = StringConstraints(max_length=100)
_Id = Annotated[str, _Short, AfterValidator(_canonical_uuid)]
_ThreadId = Annotated[str, _Short, AfterValidator(_thread_id)]
_Timestamp = Annotated[str, _Short, AfterValidator(_utc_timestamp)]
_Date = Annotated[str, _Short, AfterValidator(_iso_date)]
_Text = Annotated[str, AfterValidator(_reject_nul)]
_ShortText = Annotated[_Text, _Short]
_MemoryText = Annotated[str, StringConstraints(max_length=MAX_MEMORY_CHARS)]
_MessageText = Annotated[str, StringConstraints(max_length=MAX_MESSAGE_CHARS)]
_Answer = Annotated[_Text, StringConstraints(max_length=MAX_ANSWER_CHARS)]
_Quote = Annotated[_Text, StringConstraints(max_length=MAX_MEMORY_CHARS)]
_List = Field(max_length=MAX_LIST)
_CURRENT = BeforeValidator(_current)


class _StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Source(_StrictModel):
    thread: _ShortText
    message: _ShortText
    quote: _Quote
    ts: _Timestamp


class _Mismatch(_StrictModel):
    message: _ShortText
    model: Annotated[_Text, StringConstraints(max_length=300)]
    vector: Annotated[str, StringConstraints(max_length=8_192), AfterValidator(_base64)]


class ProfileSentence(_StrictModel):
    """A sentence of the profile."""

    text: _MemoryText
    messages: Annotated[list[_ShortText], _List] = []
    ts: _Timestamp | Literal[""] = ""


class _MemoryFields(_StrictModel):
    kind: Kind
    text: _MemoryText
    ts: _Timestamp | None = None
    source_thread: _ShortText = ""
    category: Category = "personal"
    confidence: Annotated[float, Field(ge=0, le=1)] = 1.0
    sources: Annotated[list[_Source], _List] = []
    confirmed: Annotated[int, Field(ge=1)] = 1
    last_seen: _Timestamp | None = None
    standing: bool = False
    pinned: bool = False
    until: _Date | None = None
    reported_by: _ShortText | None = None
    not_relevant: Annotated[list[_Mismatch], Field(max_length=MAX_MISMATCHES)] = []


class _InboxFields(_StrictModel):
    id: _Id
    text: _MessageText
    source_thread: _ThreadId
    ts: _Timestamp
    answer: _Answer = ""
    standing: bool = False
    time_zone: _ShortText = ""
    read_tools: bool = False
    follows: Annotated[list[_ShortText], _List] = []
    corrects: bool = False


class _RetirementFields(_StrictModel):
    place: Literal["retired"]
    id: _Id
    memory: _ShortText | None = None
    retired_at: _Timestamp | None = None
    who: Annotated[Actor | None, _CURRENT] = None
    why: Annotated[Reason | None, _CURRENT] = None
    by: _ShortText | None = None
    change: _ShortText | None = None

    def retirement(self) -> dict[str, str | None]:
        """The retirement fields that the line contains, including nulls."""
        return self.model_dump(include=set(RETIREMENT_FIELDS), exclude_unset=True)


class MemoryLine(_MemoryFields):
    """A memory."""

    place: Literal["memories"] = "memories"
    id: _Id | None = None


class InboxLine(_InboxFields):
    """An inbox item."""

    place: Literal["inbox"]


class ProfileLine(_StrictModel):
    """The complete profile."""

    place: Literal["profile"]
    sentences: dict[ProfileField, Annotated[list[ProfileSentence], Field(max_length=MAX_SENTENCES)]]
    last_updated: _Timestamp | Literal[""] = ""


class RetiredLine(_RetirementFields, _MemoryFields):
    """A retired memory."""


class RetiredItemLine(_RetirementFields, _InboxFields):
    """A retired inbox item."""

    kind: Literal["inbox"]


class RetiredSentenceLine(_RetirementFields, ProfileSentence):
    """A retired sentence of the profile."""

    kind: Literal["profile"]
    field: ProfileField


Line = MemoryLine | InboxLine | ProfileLine | RetiredLine | RetiredItemLine | RetiredSentenceLine
AnyInboxLine = InboxLine | RetiredItemLine

_MODELS: Mapping[str, type[Line]] = {
    "memories": MemoryLine,
    "inbox": InboxLine,
    "profile": ProfileLine,
    "retired": RetiredLine,
}
_RETIRED_MODELS: Mapping[str, type[Line]] = {"inbox": RetiredItemLine, "profile": RetiredSentenceLine}


def format_line(item: SearchItem, **head: str) -> bytes:
    """Format a document as a line, with the fields of `head` first."""
    fields = {
        name: _current(value) if name in _CONVERTED_FIELDS else value
        for name, value in item.value.items()
        if name not in _OMITTED_FIELDS
    }
    return json.dumps(head | fields, ensure_ascii=False).translate(_LINE_SEPARATORS).encode() + b"\n"


def parse_line(line: bytes) -> Line:
    """Parse and validate a line. Error messages do not repeat its content, which may be secret."""
    if len(line) > MAX_LINE_BYTES:
        raise InvalidInputError(f"the line has more than {MAX_LINE_BYTES} bytes")
    try:
        fields = from_json(line.removeprefix(codecs.BOM_UTF8), allow_inf_nan=False)
        if not isinstance(fields, dict):
            raise InvalidInputError("the line is not a JSON object")
        if len(fields) > MAX_FIELDS:
            raise InvalidInputError(f"the line has more than {MAX_FIELDS} fields")
        accepted = {name: value for name, value in fields.items() if name not in _IGNORED_FIELDS}
        return _model(fields).model_validate(accepted)
    except ValidationError as error:
        details = error.errors(include_input=False, include_url=False, include_context=False)
        message = "; ".join(f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}" for detail in details)
        raise InvalidInputError(message[:MAX_ERROR_CHARS]) from error
    except ValueError as error:
        raise InvalidInputError(f"the line is not valid JSON: {str(error).replace('line 1 ', '')}") from error


def _model(fields: Mapping[str, object]) -> type[Line]:
    place = str(fields.get("place", "memories"))
    if place not in _MODELS:
        raise InvalidInputError(f"place: It must be one of {', '.join(_MODELS)}")
    return _RETIRED_MODELS.get(str(fields.get("kind")), RetiredLine) if place == "retired" else _MODELS[place]
