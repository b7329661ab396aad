"""Request ids and HTTP metrics. No label identifies a user."""

import re
import time
import uuid

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent import bind_request

REQUEST_ID = "X-Request-ID"
VALID_REQUEST_ID = re.compile(r"[A-Za-z0-9._=-]{1,64}")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class HttpMetrics:
    """Counts requests by route template, so that the number of labels is bounded."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._requests = Counter(
            "http_requests",
            "HTTP requests, by method, route and status",
            ["method", "route", "status"],
            registry=registry,
        )
        self._duration = Histogram(
            "http_request_duration_seconds",
            "Time until the response starts",
            ["method", "route"],
            buckets=BUCKETS_SECONDS,
            registry=registry,
        )
        self.open_streams = Gauge("keepsake_open_streams", "Open streams of server-sent events", registry=registry)

    def count(self, scope: Scope, status: int, seconds: float) -> None:
        """Record a response that starts."""
        method = scope["method"] if scope["method"] in METHODS else "other"
        route = getattr(scope.get("route"), "path", "other")
        self._requests.labels(method, route, status).inc()
        self._duration.labels(method, route).observe(seconds)


class Telemetry:
    """Gives each request an id, which its log records and its response contain, and counts it.

    A client may send the id, for example to correlate logs of several services. It is the outermost middleware, so that
    responses to unexpected errors have an id as well.
    """

    def __init__(self, app: ASGIApp, metrics: HttpMetrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        started, request_id = time.perf_counter(), _request_id(scope)
        bind_request(request_id)

        async def counting_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (REQUEST_ID.lower().encode(), request_id.encode())]
                self._metrics.count(scope, message["status"], time.perf_counter() - started)
            await send(message)

        return await self._app(scope, receive, counting_send)


def _request_id(scope: Scope) -> str:
    given = Headers(scope=scope).get(REQUEST_ID, "")
    return given if VALID_REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
