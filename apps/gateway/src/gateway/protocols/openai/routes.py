"""The routes under `/v1`. Errors have OpenAI's format; see `gateway.problems`."""

from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from agent import Agent, UnknownModelError
from gateway.dependencies import SIGNED_IN, CurrentAgent, CurrentPrincipal, Streams
from gateway.protocols.openai.chat import ChatCompletion
from gateway.protocols.openai.outputs import Outputs, first_output, start, unless_disconnected
from gateway.protocols.openai.requests import chat_conversation, response_conversation
from gateway.protocols.openai.responses import TextResponse
from gateway.protocols.openai.schemas import ChatRequest, ResponseRequest
from gateway.streams import EventStream, OpenStreams

router = APIRouter(prefix="/v1", dependencies=[SIGNED_IN])

CLIENT_CLOSED_REQUEST = 499
"""The client has disconnected; the status appears only in metrics, as in nginx."""


class CompletionStream(EventStream):
    """A stream that no client rejoins: it cancels the run when it ends."""

    def __init__(self, frames: AsyncIterator[bytes], outputs: Outputs, streams: OpenStreams) -> None:
        super().__init__(frames, streams)
        self._outputs = outputs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the frames until they end, the client disconnects, or the stream is ended."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._outputs.aclose()

    async def send_reconnect(self) -> None:
        """Send nothing: clients of this interface do not know the event."""


@router.post("/chat/completions")
async def create_chat_completion(
    body: ChatRequest, request: Request, principal: CurrentPrincipal, agent: CurrentAgent, streams: Streams
) -> Response:
    """Continue a conversation."""
    conversation = chat_conversation(principal.user, body)
    completion = ChatCompletion(body.model or agent.models[0])
    try:
        outputs = await first_output(request, await start(principal, agent, conversation))
        if body.stream:
            include_usage = bool(body.stream_options and body.stream_options.include_usage)
            return CompletionStream(completion.stream(outputs, include_usage=include_usage), outputs, streams)
        return JSONResponse(await unless_disconnected(request, completion.collect(outputs)))
    except ClientDisconnect:
        return Response(status_code=CLIENT_CLOSED_REQUEST)


@router.post("/responses")
async def create_response(
    body: ResponseRequest, request: Request, principal: CurrentPrincipal, agent: CurrentAgent, streams: Streams
) -> Response:
    """Continue a conversation, in the newer format."""
    conversation = response_conversation(principal.user, body)
    response = TextResponse(body.model or agent.models[0], conversation)
    try:
        outputs = await first_output(request, await start(principal, agent, conversation))
        if body.stream:
            return CompletionStream(response.stream(outputs), outputs, streams)
        return JSONResponse(await unless_disconnected(request, response.collect(outputs)))
    except ClientDisconnect:
        return Response(status_code=CLIENT_CLOSED_REQUEST)


@router.get("/models")
async def list_models(agent: CurrentAgent) -> dict[str, Any]:
    """List the chat models, the default first."""
    return {"object": "list", "data": [_model(name) for name in agent.models]}


@router.get("/models/{name:path}")
async def get_model(name: str, agent: CurrentAgent) -> dict[str, Any]:
    """Get one model."""
    return _find_model(agent, name)


def _find_model(agent: Agent, name: str) -> dict[str, Any]:
    if name not in agent.models:
        raise UnknownModelError(f"choose one of: {', '.join(agent.models)}")
    return _model(name)


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "keepsake"}
