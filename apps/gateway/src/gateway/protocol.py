"""The HTTP/1.1 protocol of the server: uvicorn's with httptools, with limits on connections, headers and slow requests.

httptools itself has no limits, and the cost of a header grows faster than its size. All limits apply before the
application, and therefore before a token is verified.
"""

import asyncio
import json
from http import HTTPStatus
from typing import Any

import httptools
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gateway.errors import GatewayError, HeadersTooLargeError, RequestTimeoutError, TooManyConnectionsError
from gateway.problems import MEDIA_TYPE, problem, problem_of
from gateway.settings import ConnectionLimits

MIN_BODY_BYTES_PER_SECOND = 4096
MAX_PIPELINED = 16
"""Requests of a connection that may wait for the response to an earlier one."""
MAX_PARTS_PER_READ = 8192
"""Parts of a body in one read of up to 256 kB; parsing them blocks the event loop for some 10 ms."""
# A client that is still sending sees the response only if the connection is not reset.
DISCARD_SECONDS = 1.0


class LimitedConfig(uvicorn.Config):
    """The configuration of uvicorn for `LimitedProtocol`, for one server."""

    def __init__(self, app: ASGIApp, limits: ConnectionLimits, **options: Any) -> None:  # noqa: ANN401 - uvicorn's
        silent: dict[str, Any] = {"log_config": None, "access_log": False, "server_header": False, "lifespan": "off"}
        super().__init__(app, http=LimitedProtocol, ws="none", **silent, **options)
        self.limits = limits
        self.idle_connections: dict[LimitedProtocol, None] = {}
        """Those without a request that the application is handling; the longest idle first."""


class LimitedProtocol(HttpToolsProtocol):
    """A connection. Its requests are answered with 431, 408 or 503 if they exceed the limits."""

    config: LimitedConfig

    def __init__(self, config: LimitedConfig, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(config, *arguments, **options)
        self._limits, self._idle = config.limits, config.idle_connections
        self._in_headers = True
        self._is_receiving = False
        """Whether a request has arrived in part."""
        self._is_refused = False
        self._header_bytes = 0
        """Complete headers of the current request, with its URL."""
        self._unparsed_bytes = 0
        """Bytes that arrived since the latest complete headers or part of a body; trailers and chunk sizes included."""
        self._body_bytes = 0
        """Part of the body that arrived since the timer started."""
        self._parts = 0
        """Parts of a body in the latest read."""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Admit the connection if there is room or an idle connection, which is closed for it."""
        is_full = len(self.connections) >= self._limits.max_connections
        super().connection_made(transport)
        if is_full and not self._idle:
            self._refuse(TooManyConnectionsError("try again later"))
            return
        if is_full:
            next(iter(self._idle)).transport.abort()
        self._idle[self] = None
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the timer."""
        self._stop_timer()
        self._idle.pop(self, None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse data as uvicorn does, unless the request exceeds a limit."""
        if self._is_refused:
            return
        self._unset_keepalive_if_required()
        self._parts = 0
        self._unparsed_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            pass  # the request is answered like one that requests no upgrade
        except httptools.HttpParserError as error:
            self._refuse(_cause_of(error))
            return
        if self._unparsed_bytes > self._limits.max_header_bytes:
            self._refuse(self._too_large())
        elif not self._is_receiving:
            self._stop_timer()
        elif self._timer is None:
            self._start_timer()

    def on_message_begin(self) -> None:
        """Start to count."""
        super().on_message_begin()
        self._is_receiving, self._in_headers, self._header_bytes = True, True, 0

    def on_url(self, url: bytes) -> None:
        """Count a part of the URL."""
        super().on_url(url)
        self._count_header(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header or a trailer."""
        super().on_header(name, value)
        self._count_header(len(name) + len(value))

    def on_headers_complete(self) -> None:
        """Start the request, unless too many are waiting on this connection."""
        if len(self.pipeline) >= MAX_PIPELINED:
            raise TooManyConnectionsError("too many pipelined requests")
        super().on_headers_complete()
        self._in_headers, self._unparsed_bytes = False, 0
        self._idle.pop(self, None)
        self._stop_timer()

    def on_body(self, body: bytes) -> None:
        """Count a part of the body."""
        super().on_body(body)
        self._unparsed_bytes = 0
        self._body_bytes += len(body)
        self._parts += 1
        if self._parts > MAX_PARTS_PER_READ:
            raise ValueError("the chunks of the body are too small")

    def on_message_complete(self) -> None:
        """End the request."""
        super().on_message_complete()
        self._is_receiving, self._in_headers, self._unparsed_bytes = False, True, 0

    def on_response_complete(self) -> None:
        """Become idle, unless the next request has arrived already."""
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._idle[self] = None

    def _count_header(self, size: int) -> None:
        self._header_bytes += size
        if self._header_bytes > self._limits.max_header_bytes or len(self.headers) > self._limits.max_headers:
            raise self._too_large()

    def _too_large(self) -> HeadersTooLargeError:
        return HeadersTooLargeError(
            f"the limits are {self._limits.max_header_bytes} bytes and {self._limits.max_headers} headers"
        )

    def _start_timer(self) -> None:
        self._body_bytes = 0
        self._timer = self.loop.call_later(self._limits.receive_seconds, self._check_progress)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_progress(self) -> None:
        """Refuse a request whose headers are incomplete, or whose body arrives too slowly."""
        self._timer = None
        if not self._in_headers and (
            self.flow.read_paused or self._body_bytes >= self._limits.receive_seconds * MIN_BODY_BYTES_PER_SECOND
        ):
            self._start_timer()
        elif self._is_receiving:
            self._refuse(RequestTimeoutError("send the request faster"))
        else:
            self.transport.close()  # nothing was sent; a response could be taken for that of a later request

    def _refuse(self, error: GatewayError | None) -> None:
        """Answer with a problem, unless that would break another response, and close the connection."""
        self._is_refused = True
        self._stop_timer()
        is_answering = self.cycle is not None and not self.cycle.response_complete
        can_answer = not is_answering if self._in_headers else not (self.cycle.response_started or self.pipeline)
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if not can_answer or self.transport.is_closing():
            self.transport.close()
            return
        self.transport.write(_response(problem_of(error) if error else problem(400, "invalid_request", "Bad Request")))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.resume_reading()
        self.loop.call_later(DISCARD_SECONDS, self.transport.abort)


def _cause_of(error: httptools.HttpParserError) -> GatewayError | None:
    """The error that a callback raised; None if the parser failed."""
    cause = error.__context__
    return cause if isinstance(cause, GatewayError) else None


def _response(body: dict[str, Any]) -> bytes:
    content = json.dumps(body).encode()
    head = (
        f"HTTP/1.1 {body['status']} {HTTPStatus(body['status']).phrase}\r\ncontent-type: {MEDIA_TYPE}\r\n"
        f"content-length: {len(content)}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + content
