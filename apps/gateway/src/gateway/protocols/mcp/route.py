"""The route `/mcp`: authenticates the user as every other route does, and passes the request to the MCP server."""

from fastapi import APIRouter, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gateway.dependencies import SIGNED_IN, CurrentAccount, CurrentAgent, CurrentPrincipal
from gateway.protocols.mcp import metadata
from gateway.protocols.mcp.caller import Caller, calling

router = APIRouter(include_in_schema=False)
router.include_router(metadata.router)


class _McpResponse(Response):
    """The response of the MCP server to a caller."""

    def __init__(self, caller: Caller) -> None:
        super().__init__()
        self._caller = caller

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with calling(self._caller):
            await scope["app"].state.mcp(scope, receive, send)


# A stateless server has neither streams to open (GET) nor sessions to end (DELETE): both are answered with 405.
@router.post(metadata.MCP_PATH, dependencies=[metadata.CHALLENGED, SIGNED_IN], response_class=_McpResponse)
async def handle_message(
    request: Request, principal: CurrentPrincipal, account: CurrentAccount, agent: CurrentAgent
) -> Response:
    """Handle one message of the protocol for the user."""
    return _McpResponse(Caller(agent, account, principal.key_name, request.headers.get("user-agent", "")))
