"""Schemas of memories, of their history, and of formation and import."""

from dataclasses import asdict
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, StrictBool, model_validator
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError

import agent
from agent import Category, ForeignFormat, HitKind, Kind
from gateway.schemas.base import Page, Schema, Timestamp, omitted_when_none, text_schema, without_default


class Source(Schema):
    """The user's own words that a memory comes from."""

    thread: str
    message: str
    quote: str
    ts: str


class Memory(Schema):
    """One thing that is known about the user."""

    id: str
    kind: Kind = Field(description="A fact about the user, an exchange, or a way in which the user wants to be helped.")
    text: str
    ts: str = Field(description="When it was formed; ISO-8601 in UTC.")
    source_thread: str = Field(description="The thread it comes from; empty if the user added it.")
    category: Category
    confidence: float = Field(description="From 0 to 1.")
    sources: list[Source] = Field(description="The newest is last; empty if the user added the memory.")
    confirmed: int = Field(description="How often the user has stated it.")
    last_seen: str = Field(description="When the user last stated it; ISO-8601 in UTC.")
    standing: bool = Field(description="True if a fact matters for every message; kind `procedural` always does.")
    pinned: bool = Field(description="True if the user wants it to be considered for every message.")
    until: str | None = Field(
        description="The last day on which it holds; null: unlimited.", json_schema_extra={"format": "date"}
    )
    reported_by: str | None = Field(
        description="The application that reported it; null if the user said or confirmed it. Pinning or editing it, "
        "or saying the same, confirms it. Until then it is never standing."
    )
    score: float | SkipJsonSchema[None] = omitted_when_none("Cosine similarity to the query, in a search.")
    quote: str | None = Field(description="The quote of the newest source.")
    source_message: str | None = Field(description="The message of the newest source.")

    @classmethod
    def of(cls, memory: agent.Memory) -> Self:
        """Represent a memory of the agent."""
        return cls.model_validate(_members(memory))


class MemoryPage(Page[Memory]):
    """One page of memories."""


class MemoryVersion(Memory):
    """An earlier version of a memory, which is never recalled."""

    version: str = Field(description="The id of this version; undo accepts it.")
    retired_at: Timestamp
    who: str = Field(validation_alias="actor", description="Who retired it, for example `user` or `formation`.")
    why: str = Field(validation_alias="reason", description="Why it was retired, for example `edited` or `replaced`.")
    by: str | None = Field(
        validation_alias="successor", description="The memory that replaced it; the memory's own id after an edit."
    )

    @classmethod
    def of_version(cls, version: agent.Version) -> Self:
        """Represent a version of the agent."""
        return cls.model_validate(asdict(version) | _members(version.memory) | {"version": version.id})


class MemoryVersionPage(Page[MemoryVersion]):
    """All earlier versions of a memory, the latest first."""


class NewMemory(Schema):
    """A memory to add."""

    text: str = Field(json_schema_extra=text_schema(agent.MAX_MEMORY_CHARS))
    kind: Kind = "user"
    category: Category = "personal"
    pinned: StrictBool = False


class MemoryUpdate(Schema):
    """Changes to a memory, at least one."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    text: str = Field(default="", description="The new text.", json_schema_extra=without_default)
    pinned: StrictBool = Field(
        default=False, description="True pins the memory, false unpins it.", json_schema_extra=without_default
    )

    @model_validator(mode="after")
    def _require_a_change(self) -> Self:
        if not self.model_fields_set:
            raise PydanticCustomError("no_change", "text or pinned is required")
        return self


class SetAsideBatch(Schema):
    """Messages of one thread that could not be processed and are not retried automatically."""

    thread_id: str
    messages: list[str] = Field(description="Message ids.")
    error: str
    since: str


class FormationStatus(Schema):
    """The state of memory formation for the user."""

    pending: int = Field(description="Messages that are not yet processed, without those set aside.")
    oldest_seconds: float | None = Field(description="Age of the oldest pending message.")
    attempts: int = Field(description="Failed attempts so far.")
    last_error: str | None
    next_attempt_at: str | None
    set_aside: list[SetAsideBatch]


class PendingMessage(Schema):
    """A message of the user that is not yet processed."""

    message: str = Field(description="The id of the message.")
    thread: str
    text: str
    ts: Timestamp
    recallable: bool = Field(
        description="True if it states something, which other threads recall already; false for a mere question."
    )
    set_aside: bool = Field(
        validation_alias="is_set_aside", description="True if processing it failed and is not retried automatically."
    )


class PendingMessagePage(Page[PendingMessage]):
    """All messages that are not yet processed, the oldest first."""


def _require_message(schema: dict[str, Any]) -> None:
    """Require what `NewFeedback` validates."""
    wrong = {"properties": {"verdict": {"const": "wrong"}}}
    schema["anyOf"] = [wrong, {"properties": {"message": {"type": "string"}}, "required": ["message"]}]


class NewFeedback(Schema):
    """What the user says about a memory that was used for an answer."""

    model_config = ConfigDict(json_schema_extra=_require_message)

    verdict: Literal["wrong", "not_relevant"] = Field(
        description="`wrong` retires the memory; `not_relevant` lowers its weight for messages similar to `message`, "
        "unless it matters for every message."
    )
    message: str | None = Field(
        default=None,
        description="The message or its answer; required for `not_relevant`.",
        json_schema_extra={"format": "uuid"},
    )

    @model_validator(mode="after")
    def _require_a_message(self) -> Self:
        if self.verdict == "not_relevant" and self.message is None:
            raise PydanticCustomError("no_message", "message is required for not_relevant")
        return self


class FactLimit(Schema):
    """The facts of the user compared with their limit."""

    facts: int = Field(description="Memories of the kinds `user` and `procedural`.")
    max_facts: int = Field(
        description="Above it, formation moves the least certain facts to history, except pinned ones and those that "
        "matter for every message."
    )
    evicted: list[MemoryVersion] = Field(description="The latest 100 of these facts, the latest first; undo restores.")

    @classmethod
    def of(cls, limit: agent.FactLimit) -> Self:
        """Represent the limit of the agent."""
        evicted = [MemoryVersion.of_version(version) for version in limit.evicted]
        return cls(facts=limit.facts, max_facts=limit.max_facts, evicted=evicted)


class FlushResult(Schema):
    """The result of processing the inbox."""

    added: int
    replaced: int
    confirmed: int
    rejected: int
    episodes: int
    reasons: dict[str, int] = Field(description="Rejected candidates by reason.")


class ImportedEntry(Schema):
    """A memory, or a message for the inbox, that is imported."""

    kind: HitKind
    text: str
    ts: str


class ImportResult(Schema):
    """The result of an import, in lines or, for an export of another application, in memories and messages."""

    imported: int
    unchanged: int = Field(description="What the account already contained.")
    format: ForeignFormat | SkipJsonSchema[None] = omitted_when_none("The format; absent for JSON lines.")
    messages: int | SkipJsonSchema[None] = omitted_when_none("How many of those imported are messages for the inbox.")
    skipped: dict[str, int] | SkipJsonSchema[None] = omitted_when_none(
        "What is not imported from an export of another application, by reason: `no_statement`, `too_long`, `too_old` "
        "(only the latest messages are imported), or why it is not kept, for example `credentials`."
    )
    preview: list[ImportedEntry] | SkipJsonSchema[None] = omitted_when_none(
        "With `dry_run`: the first 100 that would be imported."
    )
    warning: str | SkipJsonSchema[None] = omitted_when_none("What happens to facts above the limit, if there are any.")

    @classmethod
    def of(cls, result: agent.ImportResult, *, dry_run: bool) -> Self:
        """Represent a result of the agent."""
        members: dict[str, Any] = {
            "imported": result.imported,
            "unchanged": result.unchanged,
            "warning": result.warning,
        }
        if result.format != "keepsake":
            members |= {"format": result.format, "messages": result.pending, "skipped": result.skipped}
        return cls.model_validate(members | ({"preview": result.preview} if dry_run else {}))


def _members(memory: agent.Memory) -> dict[str, Any]:
    newest = asdict(memory.sources[-1]) if memory.sources else {}
    return asdict(memory) | {"quote": newest.get("quote"), "source_message": newest.get("message")}
