"""Schemas of the events in a reply stream, derived from the agent's events.

They only describe the stream: `routes/chat.py` writes the frames directly from the events. Tests compare both.
"""

from functools import cache, reduce
from operator import or_
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, RootModel, create_model

import agent
from gateway.schemas.base import Problem, Schema
from gateway.schemas.threads import RecalledMemory


class MemoryRecalled(Schema):
    """What the model receives about the user."""

    memories: list[RecalledMemory] = Field(description="The best first.")
    omitted: list[RecalledMemory] = Field(description="Standing memories for which the prompt has no room.")
    tip_chars: int = Field(description="Length of the text added to the prompt.")
    degraded: bool = Field(description="True if recall failed or was incomplete.")
    elapsed_ms: float = Field(description="Time since the start of the run.")


class RunFailed(Schema):
    """The end of a run that failed."""

    problem: Problem


class ReconnectEvent(Schema):
    """The process is stopping, and its answers have some seconds to end.

    If the stream ends without `run.finished` or `run.failed`, rejoin it.
    """

    event: Literal["reconnect"]
    data: dict[str, str] = Field(description="Empty.", max_length=0)


_DOC = """One server-sent event of a reply, with `data` parsed as JSON.

In order: `run.started`, `memory.recalled`, then any number of `token`, `tool.started` and `tool.finished`, then
`message.completed`, `memory.scheduled`, and finally `run.finished` or `run.failed`. `reconnect` can occur
anywhere; it has no id.
"""
_DATA: dict[str, type[BaseModel]] = {"memory.recalled": MemoryRecalled, "run.failed": RunFailed}
"""Data whose types are more specific on the wire than in the agent, by the event's name."""
_CONFIG = ConfigDict(use_attribute_docstrings=True, json_schema_serialization_defaults_required=True)


def _schema_of(event: type[agent.ReplyEvent]) -> Any:  # noqa: ANN401 - a type, composed with `|`
    members: dict[str, Any] = {
        "id": (str, Field(description="Send it as `Last-Event-ID` to resume the stream after this event.")),
        "event": Literal[event.event_name],
        "data": (_DATA.get(event.event_name, event), Field(description="JSON.")),
    }
    return create_model(f"{event.__name__}Event", __config__=_CONFIG, __doc__=event.__doc__, **members)


@cache
def reply_event() -> type[BaseModel]:
    """Create the schema of any event, on demand: parsing the agent's source for descriptions would delay the start."""
    event: Any = reduce(or_, map(_schema_of, get_args(agent.ReplyEvent)), ReconnectEvent)
    return create_model("ReplyEvent", __base__=RootModel, __doc__=_DOC, root=(event, Field(discriminator="event")))
