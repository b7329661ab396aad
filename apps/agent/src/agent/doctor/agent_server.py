"""Check of the LangGraph server."""

from http import HTTPStatus

import httpx

from agent.doctor.finding import Finding, ok, problem
from agent.remote.runner import GRAPH
from agent.remote.server import open_agent_server
from agent.settings import AgentSettings


async def agent_server(settings: AgentSettings) -> list[Finding]:
    """Check that the server answers and has loaded the graph."""
    try:
        async with open_agent_server(settings) as client:
            found = await client.assistants.search(graph_id=GRAPH, limit=1)
    except httpx.HTTPStatusError as error:
        if error.response.status_code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            return [problem(f"{settings.agent_url} refuses the key: correct KEEPSAKE_AGENT_API_KEY")]
        return [problem(f"{settings.agent_url} answers with status {error.response.status_code}: see its log")]
    except httpx.HTTPError:
        return [problem(f"{settings.agent_url} does not answer: start it, or correct KEEPSAKE_AGENT_URL")]
    if not found:
        return [problem(f"{settings.agent_url} has no graph `{GRAPH}`: start it with Keepsake's langgraph.json")]
    return [ok(f"{settings.agent_url} runs the graph and keeps the memories")]
