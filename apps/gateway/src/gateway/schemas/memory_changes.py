"""Schemas of changes to memories."""

from pydantic import Field

import agent
from agent import Category, Kind
from gateway.schemas.base import Page, Schema, Timestamp


class ChangedMemory(Schema):
    """A memory at the time of a change."""

    id: str
    kind: Kind
    text: str | None = Field(description="Null if it was deleted permanently.")
    category: Category


class MemoryChange(Schema):
    """A change of the user's memory."""

    id: str = Field(description="Its position among the changes; send it as `Last-Event-ID` to resume after it.")
    type: agent.ChangeType
    memory: ChangedMemory | None = Field(
        description="The memory after the change; null if all memories were deleted, so that nothing is left."
    )
    replaced: ChangedMemory | None = Field(
        description="What it takes the place of; with the same id, the earlier text of the memory."
    )
    why: str = Field(
        description="`stated` (the user said or confirmed it), `entered` (typed in or imported), `reported` (by an "
        "application), `undone`, `redacted` (a part of the text was forgotten), or the reason in the history of the "
        "memory, for example `edited` or `replaced`."
    )
    thread: str = Field(description="The thread of its newest source; empty if the user entered the memory.")
    message: str = Field(description="The user's message that is its newest source; empty as above.")
    ts: Timestamp


class MemoryChangePage(Page[MemoryChange]):
    """One page of changes, the latest first."""


class MemoryChangeEvent(Schema):
    """A server-sent event of the stream of changes, with `data` parsed as JSON. `reconnect` can occur as well."""

    id: str = Field(description="That of the change.")
    event: agent.ChangeType
    data: MemoryChange
