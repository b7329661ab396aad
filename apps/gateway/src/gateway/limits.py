"""What a request may cost before anybody has looked at it."""

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.errors import BodyTooLargeError
from gateway.problems import MEDIA_TYPE, problem_of

MAX_BODY_BYTES = 256 * 1024
MAX_IMPORT_BYTES = 64 * 1024 * 1024
IMPORT = "/memories/import"
"""The one path whose body is read as it comes, by whoever has found out who is sending it."""
# So much more is read and thrown away, so that a client that is still sending gets to see the answer.
MAX_DISCARDED_BYTES = 16 * 1024 * 1024


class BodyLimit:
    """Refuse a body of more than `MAX_BODY_BYTES`, or for an import `MAX_IMPORT_BYTES`, announced or not.

    FastAPI's own `max_body_size` answers with no problem document, and while the client is still sending, which it then
    takes for a broken connection.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its body, if it is small enough."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"] == IMPORT:
            await _stream(self._app, scope, receive, send)
            return
        body = await _read(receive)
        if len(body) > MAX_BODY_BYTES:
            problem = problem_of(BodyTooLargeError(f"a request has at most {MAX_BODY_BYTES} bytes"))
            response = JSONResponse(problem, problem["status"], {"Connection": "close"}, MEDIA_TYPE)
            await response(scope, receive, send)
            return
        first: list[Message] = [{"type": "http.request", "body": body}]

        async def replayed() -> Message:
            return first.pop() if first else await receive()

        await self._app(scope, replayed, send)


async def _stream(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Pass the body on as it comes; if it is too large, or not read to its end, read on before the answer."""
    came, more = 0, True

    async def counted() -> Message:
        nonlocal came, more
        message = await receive()
        came += len(message.get("body", b""))
        more = message.get("more_body", False)
        if came > MAX_IMPORT_BYTES:
            raise BodyTooLargeError(f"an import has at most {MAX_IMPORT_BYTES} bytes")
        return message

    async def answered(message: Message) -> None:
        if message["type"] == "http.response.start" and more:
            await _read(receive)
        await send(message)

    await app(scope, counted, answered)


async def _read(receive: Receive) -> bytes:
    """Return the body, or enough of it to tell that it is too large."""
    body, came, more = bytearray(), 0, True
    while more and came <= MAX_DISCARDED_BYTES:
        message = await receive()
        piece = message.get("body", b"")
        came += len(piece)
        body += piece[: MAX_BODY_BYTES + 1 - len(body)]
        more = message.get("more_body", False)
    return bytes(body)
