"""The only assistant: Keepsake's chat graph."""

from typing import Any

from fastapi import APIRouter

from gateway.dependencies import SIGNED_IN
from gateway.protocols.langgraph.dependencies import KNOWN_ASSISTANT
from gateway.protocols.langgraph.documents import GRAPH_ID, assistant_json
from gateway.protocols.langgraph.schemas import AssistantSearch, Configurable

Json = dict[str, Any]
router = APIRouter(prefix="/assistants", dependencies=[SIGNED_IN])

MESSAGES_SCHEMA: Json = {
    "type": "object",
    "title": "Messages",
    "properties": {"messages": {"type": "array", "items": {"type": "object"}, "title": "Messages"}},
    "required": ["messages"],
}


@router.post("/search")
async def search_assistants(body: AssistantSearch) -> list[Json]:
    """Find the assistant."""
    return [assistant_json()] if _matches(body) and not body.offset else []


@router.post("/count")
async def count_assistants(body: AssistantSearch) -> int:
    """Count the assistants that match."""
    return int(_matches(body))


@router.get("/{assistant_id}", dependencies=[KNOWN_ASSISTANT])
async def get_assistant() -> Json:
    """Get the assistant."""
    return assistant_json()


@router.get("/{assistant_id}/schemas", dependencies=[KNOWN_ASSISTANT])
async def get_schemas() -> Json:
    """Describe input, output and options."""
    options = Configurable.model_json_schema()
    return {
        "graph_id": GRAPH_ID,
        "input_schema": MESSAGES_SCHEMA,
        "output_schema": MESSAGES_SCHEMA,
        "state_schema": MESSAGES_SCHEMA,
        "config_schema": options,
        "context_schema": options,
    }


@router.get("/{assistant_id}/subgraphs", dependencies=[KNOWN_ASSISTANT])
async def get_subgraphs() -> Json:
    """List the subgraphs: none."""
    return {}


@router.post("/{assistant_id}/versions", dependencies=[KNOWN_ASSISTANT])
async def list_versions() -> list[Json]:
    """List the only version."""
    return [assistant_json()]


def _matches(body: AssistantSearch) -> bool:
    assistant = assistant_json()
    if body.graph_id not in {None, GRAPH_ID} or (body.name or "").lower() not in assistant["name"].lower():
        return False
    return all(assistant["metadata"].get(name) == value for name, value in (body.metadata or {}).items())
