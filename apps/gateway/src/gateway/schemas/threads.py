"""Schemas of threads and messages."""

from typing import Literal, Self

from pydantic import ConfigDict, Field, StrictBool, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError

import agent
from gateway.schemas.base import Page, Schema, Timestamp, omitted_when_none, text_schema, without_default


class Thread(Schema):
    """A conversation of the user."""

    thread_id: str = Field(validation_alias="id")
    title: str
    created_at: Timestamp
    updated_at: Timestamp
    temporary: bool = Field(description="Without memory, in no list, and deleted an hour after the last message.")
    pinned: bool = Field(description="Listed before other threads.")
    archived: bool = Field(description="Listed only among archived threads.")


class ListedThread(Thread):
    """A thread in a list or among search results."""

    snippet: str | None = Field(
        default=None,
        description="In a search, the matching part of a message; null if only the title matched.",
        json_schema_extra=without_default,
    )


class ThreadPage(Page[ListedThread]):
    """One page of threads."""


class NewThread(Schema):
    """A thread to create."""

    title: str = Field(
        default="",
        description="If empty, the first message becomes the title.",
        json_schema_extra=text_schema(agent.MAX_TITLE_CHARS, optional=True),
    )
    temporary: StrictBool = Field(
        default=False, description="Without memory, in no list, and deleted an hour after the last message."
    )


class ThreadUpdate(Schema):
    """Changes to a thread and all its branches, at least one."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    title: str = Field(default="", description="The new title.", json_schema_extra=without_default)
    pinned: StrictBool = Field(default=False, json_schema_extra=without_default)
    archived: StrictBool = Field(default=False, json_schema_extra=without_default)

    @model_validator(mode="after")
    def _require_a_change(self) -> Self:
        if not self.model_fields_set:
            raise PydanticCustomError("no_change", "title, pinned or archived is required")
        return self


class NewBranch(Schema):
    """Where a branch of a thread begins."""

    before: str = Field(
        description="The id of the message that the branch replaces, or of the answer that it replaces with its "
        "question. The branch contains the messages before it.",
        json_schema_extra={"format": "uuid"},
    )


class Divergence(Schema):
    """A place in a thread where branches of the conversation continue differently."""

    position: int = Field(description="The number of messages before it, which the branches share.")
    threads: list[str] = Field(
        description="A thread for each continuation, the oldest continuation first; the one that was used last."
    )
    current: int = Field(description="The index of the requested thread in `threads`.")


class DivergencePage(Page[Divergence]):
    """All places where branches diverge from a thread, in order."""


class MessageFeedback(Schema):
    """What the user thinks of an answer."""

    rating: Literal["up", "down"]
    reason: str | None = Field(default=None, json_schema_extra={"maxLength": 2_000})


class NewMessageFeedback(Schema):
    """A rating of an answer, or its removal."""

    rating: Literal["up", "down"] | None = Field(description="Null removes the rating.")
    reason: str | None = Field(default=None, json_schema_extra={"maxLength": 2_000})


class ForgetResult(Schema):
    """The result of deleting a thread together with its memories."""

    forgotten: int = Field(description="How many memories were deleted.")


class CancelResult(Schema):
    """The result of a cancellation."""

    cancelled: bool = Field(description="False if no run was active.")


class RecalledMemory(Schema):
    """A memory, a message from the inbox, or a sentence of the profile that the model received for an answer."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    # In the order in which Postgres returns the members of a jsonb object.
    id: str
    ts: str
    why: agent.Why = Field(
        default="recalled", description="Whether it matters for every message, or was recalled for this one."
    )
    kind: agent.HitKind
    text: str
    score: float | None = Field(description="Cosine similarity; null if only the words matched.")
    reported_by: str | SkipJsonSchema[None] = omitted_when_none(
        "The application that reported it; absent if the user said or confirmed it."
    )
    source_thread: str


class WebSource(Schema):
    """A page that a web search found for an answer."""

    title: str
    url: str
    text: str = Field(description="An excerpt; empty if there is none.")


class Message(Schema):
    """One message of the transcript."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    ts: Timestamp
    memories: list[RecalledMemory] | SkipJsonSchema[None] = omitted_when_none(
        "What the model received for this answer; absent from the user's messages."
    )
    status: Literal["cancelled", "failed"] | SkipJsonSchema[None] = omitted_when_none(
        "Why the answer is incomplete; absent if it is complete."
    )
    finish_reason: Literal["length", "content_filter"] | SkipJsonSchema[None] = omitted_when_none(
        "Why the model cut the answer off; absent if it did not."
    )

    feedback: MessageFeedback | SkipJsonSchema[None] = omitted_when_none("What the user thinks of this answer.")
    copied_from: str | SkipJsonSchema[None] = omitted_when_none(
        "The original of a message that this branch shares with the thread it branched off."
    )
    sources: list[WebSource] | SkipJsonSchema[None] = omitted_when_none(
        "What web searches found for this answer; absent if there was no search."
    )
    model: str | SkipJsonSchema[None] = omitted_when_none(
        "The model that wrote this answer; absent if that was not recorded."
    )

    @field_validator("status", "finish_reason", mode="before")
    @classmethod
    def _omit_completed(cls, value: str) -> str | None:
        return None if value in ("completed", "stop") else value


class MessagePage(Page[Message]):
    """One page of a transcript, the oldest message first."""


class NewMessage(Schema):
    """A message of the user."""

    text: str = Field(json_schema_extra=text_schema(agent.MAX_MESSAGE_CHARS))
    id: str | None = Field(
        default=None,
        description="A UUID chosen by the client. Sending it again replays the run instead of adding one.",
        json_schema_extra={"format": "uuid"},
    )
    model: str | None = Field(default=None, description="One of `models` in `GET /config`; by default the first.")
    memory: StrictBool = Field(default=True, description="False neither recalls nor saves anything for this message.")
    web_search: StrictBool = Field(default=False, description="Allow the assistant to search the web.")
    temporary: StrictBool = Field(default=False, description="Start a temporary thread.")
