"""Ids in the path of the LangGraph API."""

from typing import Annotated, Any

from fastapi import Depends, Path

import agent as api
from agent import RunId
from gateway.protocols.langgraph.documents import ASSISTANT_NAMES

UUID: dict[str, Any] = {"format": "uuid"}


async def _run(run_id: Annotated[str, Path(json_schema_extra=UUID)]) -> RunId:
    return RunId(api.parse_uuid(run_id))


async def _assistant(assistant_id: Annotated[str, Path()]) -> None:
    check_assistant(assistant_id)


RunInPath = Annotated[RunId, Depends(_run)]
KNOWN_ASSISTANT = Depends(_assistant)
"""For routes with `assistant_id` in the path."""


def check_assistant(name: str) -> None:
    """Raise `NotFoundError` unless this is an id or a name of the only assistant."""
    if name not in ASSISTANT_NAMES:
        raise api.NotFoundError("the only assistant is chat")
