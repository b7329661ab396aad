"""Schemas of threads and messages."""

from typing import Literal

from pydantic import ConfigDict, Field, StrictBool, field_validator
from pydantic.json_schema import SkipJsonSchema

import agent
from gateway.schemas.base import Page, Schema, Timestamp, omitted_when_none, text_schema, without_default


class Thread(Schema):
    """A conversation of the user."""

    thread_id: str = Field(validation_alias="id")
    title: str
    created_at: Timestamp
    updated_at: Timestamp
    temporary: bool = Field(description="Without memory, in no list, and deleted an hour after the last message.")


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
    """Changes to a thread."""

    title: str = Field(json_schema_extra=text_schema(agent.MAX_TITLE_CHARS))


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
