"""What a request may cost before anybody has looked at it."""

import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.errors import BodyTooLargeError
from gateway.problems import MEDIA_TYPE, problem_of

MAX_BODY_BYTES = 256 * 1024


class BodyLimit:
    """Refuse a body of more than `MAX_BODY_BYTES`, announced or not, before it is read into memory."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is small enough."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            await _refuse(send)
            return
        came = 0

        async def counted() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > MAX_BODY_BYTES:
                raise BodyTooLargeError(f"a request has at most {MAX_BODY_BYTES} bytes")
            return message

        await self._app(scope, counted, send)


async def _refuse(send: Send) -> None:
    body = json.dumps(problem_of(BodyTooLargeError(f"a request has at most {MAX_BODY_BYTES} bytes"))).encode()
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})
