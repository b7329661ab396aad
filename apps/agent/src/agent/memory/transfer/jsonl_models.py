"""What a line may say: its fields, checked before anything is made of them."""

import codecs
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import PydanticCustomError, from_json

from agent.errors import InvalidInputError
from agent.memory.records.profile import MOST_SENTENCES
from agent.memory.records.profile import Field as ProfileField
from agent.memory.records.retirement import HOW, Who, Why
from agent.types import Category, Kind

MAX_LINE_BYTES = 512 * 1024  # an item of the inbox with a long answer, or a memory confirmed a thousand times
MAX_FAULTS_CHARS = 300

# What `GET /memories` shows of a memory's sources, and of a search: a line may have it, and it says nothing new.
_SHOWN = ("quote", "source_message", "score")


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


class SentenceOfLine(_Strict):
    """A sentence of the profile."""

    text: str
    messages: list[_Name] = []
    ts: _Moment | Literal[""] = ""


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


class _Said(_Strict):
    id: _Id
    text: str
    source_thread: _Id
    ts: _Moment
    answer: _Words = ""


class _How(_Strict):
    """How something went; `kind` says what it was."""

    place: Literal["retired"]
    id: _Id
    memory: _Name | None = None
    retired_at: _Moment | None = None
    who: Who | None = None
    why: Why | None = None
    by: _Name | None = None
    change: _Name | None = None

    def how(self) -> dict[str, str | None]:
        """Return what is known of how it went, also that nothing stands in its place."""
        return self.model_dump(include=set(HOW), exclude_unset=True)


class MemoryLine(_Remembered):
    """A memory."""

    place: Literal["memories"] = "memories"
    id: _Id | None = None


class InboxLine(_Said):
    """An item of the inbox."""

    place: Literal["inbox"]


class ProfileLine(_Strict):
    """The profile, all of it."""

    place: Literal["profile"]
    sentences: dict[ProfileField, Annotated[list[SentenceOfLine], Field(max_length=MOST_SENTENCES)]]
    last_updated: _Moment | Literal[""] = ""


class RetiredLine(_How, _Remembered):
    """A memory that was."""


class RetiredItemLine(_How, _Said):
    """An item of the inbox that was."""

    kind: Literal["inbox"]


class RetiredSentenceLine(_How, SentenceOfLine):
    """A sentence that was in the profile."""

    kind: Literal["profile"]
    field: ProfileField


Line = MemoryLine | InboxLine | ProfileLine | RetiredLine | RetiredItemLine | RetiredSentenceLine

_PLACES: Mapping[str, type[Line]] = {
    "memories": MemoryLine,
    "inbox": InboxLine,
    "profile": ProfileLine,
    "retired": RetiredLine,
}
_RETIRED: Mapping[str, type[Line]] = {"inbox": RetiredItemLine, "profile": RetiredSentenceLine}


def parsed(line: bytes) -> Line:
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
        return _model(fields).model_validate({name: value for name, value in fields.items() if name not in _SHOWN})
    except ValidationError as error:
        # What was sent is not repeated: it may be a secret.
        faults = error.errors(include_input=False, include_url=False, include_context=False)
        told = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
        raise InvalidInputError(told[:MAX_FAULTS_CHARS]) from error
    except ValueError as error:
        raise InvalidInputError(f"it is no JSON: {str(error).replace('line 1 ', '')}") from error


def _model(fields: Mapping[str, object]) -> type[Line]:
    place = str(fields.get("place", "memories"))
    if place not in _PLACES:
        raise InvalidInputError(f"place: It must be one of {', '.join(_PLACES)}")
    return _RETIRED.get(str(fields.get("kind")), RetiredLine) if place == "retired" else _PLACES[place]
