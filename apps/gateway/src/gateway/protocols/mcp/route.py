"""The route `/mcp`: authenticates the user as every other route does, and passes the request to the MCP server."""

import json

from fastapi import APIRouter, Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from gateway.dependencies import SIGNED_IN, CurrentAgent, CurrentPrincipal, current_account
from gateway.protocols.mcp import metadata
from gateway.protocols.mcp.caller import Caller, calling
from gateway.protocols.mcp.schemas import MAX_QUERY_CHARS

router = APIRouter(include_in_schema=False)
router.include_router(metadata.router)


class _McpResponse(Response):
    """The response of the MCP server to a message of a caller."""

    def __init__(self, caller: Caller, message: bytes) -> None:
        super().__init__()
        self._caller = caller
        self._requests: list[Message] = [{"type": "http.request", "body": message}]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_again() -> Message:
            return self._requests.pop() if self._requests else await receive()

        with calling(self._caller):
            await scope["app"].state.mcp(scope, receive_again, send)


# A stateless server has neither streams to open (GET) nor sessions to end (DELETE): both are answered with 405.
@router.post(metadata.MCP_PATH, dependencies=[metadata.CHALLENGED, SIGNED_IN], response_class=_McpResponse)
async def handle_message(request: Request, principal: CurrentPrincipal, agent: CurrentAgent) -> Response:
    """Handle one message of the protocol for the user."""
    message = await request.body()
    if query := _recall_query(message):
        await agent.prefetch_query(principal.user, query)  # embeds while the account is loaded
    account = await current_account(principal, agent)
    caller = Caller(agent, account, principal.key_name or "", request.headers.get("user-agent", ""))
    return _McpResponse(caller, message)


def _recall_query(message: bytes) -> str:
    """The query of a call of `recall`; empty for all other messages, and for those that the server will reject."""
    try:
        call = json.loads(message)
    except (ValueError, RecursionError):
        return ""
    match call:
        case {"method": "tools/call", "params": {"name": "recall", "arguments": {"query": str(query)}}}:
            return query if len(query) <= MAX_QUERY_CHARS else ""
    return ""
