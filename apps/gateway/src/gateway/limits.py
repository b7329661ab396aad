"""Limits on the size of request bodies, enforced before a request is authenticated."""

from contextlib import suppress

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.errors import BodyTooLargeError
from gateway.problems import OPENAI_PREFIX, error_response, problem_of

MAX_BODY_BYTES = 256 * 1024
MAX_CONVERSATION_BYTES = 4 * 1024 * 1024
"""Maximum size of the body of a request under `/v1/`, which contains a whole conversation."""
MAX_IMPORT_BYTES = 512 * 1024 * 1024  # exports of other applications; of JSON lines the agent accepts less
IMPORT_PATH = "/memories/import"
"""The only path whose body is streamed to the route, after authentication."""
# A client that is still sending sees the response only if the rest of the body is read.
MAX_DISCARDED_BYTES = 16 * 1024 * 1024


class BodyLimit:
    """Reject bodies larger than `MAX_BODY_BYTES`, with or without Content-Length; some paths have other limits.

    FastAPI's `max_body_size` responds without a problem document, and while the client is still sending, which clients
    report as a broken connection.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request if its body is small enough."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        if scope["path"] == IMPORT_PATH:
            return await _stream(self._app, scope, receive, send)
        limit = MAX_CONVERSATION_BYTES if scope["path"].startswith(OPENAI_PREFIX) else MAX_BODY_BYTES
        body = await _read(receive, limit)
        if body is None:
            return None
        if len(body) > limit:
            problem = problem_of(BodyTooLargeError(f"the limit is {limit} bytes"))
            response = error_response(scope["path"], problem, {"Connection": "close"})
            return await response(scope, receive, send)
        messages: list[Message] = [{"type": "http.request", "body": body}]

        async def replay() -> Message:
            return messages.pop() if messages else await receive()

        return await self._app(scope, replay, send)


async def _stream(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Forward the body as it arrives. If it is too large or not read to its end, discard the rest before responding."""
    size, more = 0, True

    async def counting_receive() -> Message:
        nonlocal size, more
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
        if size > MAX_IMPORT_BYTES:
            raise BodyTooLargeError(f"the limit of an import is {MAX_IMPORT_BYTES} bytes")
        return message

    async def discarding_send(message: Message) -> None:
        if message["type"] == "http.response.start" and more:
            await _read(receive, 0)
        await send(message)

    with suppress(ClientDisconnect):
        await app(scope, counting_receive, discarding_send)


async def _read(receive: Receive, limit: int) -> bytes | None:
    """Read a body, at most one byte more than the limit; None if the client has disconnected."""
    body, size, more = bytearray(), 0, True
    while more and size <= MAX_DISCARDED_BYTES:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        chunk = message.get("body", b"")
        size += len(chunk)
        body += chunk[: limit + 1 - len(body)]
        more = message.get("more_body", False)
    return bytes(body)
