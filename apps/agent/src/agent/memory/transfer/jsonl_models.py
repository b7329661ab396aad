"""Pydantic models of the lines of an import."""

import uuid
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from agent.memory.records.profile import MAX_SENTENCES, ProfileField
from agent.memory.records.retirement import RETIREMENT_FIELDS, Actor, Reason
from agent.types import Category, Kind


def _reject_nul(text: str) -> str:
    if "\0" in text:
        raise PydanticCustomError("nul", "It contains a NUL character")
    return text


def _canonical_uuid(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError as error:
        raise PydanticCustomError("uuid", "It must be a UUID") from error


def _utc_timestamp(text: str) -> str:
    """Convert to UTC, so that stored timestamps sort as text."""
    try:
        time = datetime.fromisoformat(text)
        if time.tzinfo is not None:
            return time.astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        pass
    raise PydanticCustomError("timestamp", "It must look like 2026-05-01T09:30:00Z, with a time zone")


_Id = Annotated[str, AfterValidator(_canonical_uuid)]
_Timestamp = Annotated[str, AfterValidator(_utc_timestamp)]
_Text = Annotated[str, AfterValidator(_reject_nul)]
_ShortText = Annotated[_Text, StringConstraints(max_length=100)]


class _StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Source(_StrictModel):
    thread: _ShortText
    message: _ShortText
    quote: _Text
    ts: _Timestamp


class ProfileSentence(_StrictModel):
    """A sentence of the profile."""

    text: str
    messages: list[_ShortText] = []
    ts: _Timestamp | Literal[""] = ""


class _MemoryFields(_StrictModel):
    kind: Kind
    text: str
    ts: _Timestamp | None = None
    source_thread: _ShortText = ""
    category: Category = "personal"
    confidence: Annotated[float, Field(ge=0, le=1)] = 1.0
    sources: list[_Source] = []
    confirmed: Annotated[int, Field(ge=1)] = 1
    last_seen: _Timestamp | None = None


class _InboxFields(_StrictModel):
    id: _Id
    text: str
    source_thread: _Id
    ts: _Timestamp
    answer: _Text = ""


class _RetirementFields(_StrictModel):
    place: Literal["retired"]
    id: _Id
    memory: _ShortText | None = None
    retired_at: _Timestamp | None = None
    who: Actor | None = None
    why: Reason | None = None
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
