"""An OpenTelemetry collector that records the spans it receives over HTTP.

with OtlpCollector() as collector:
    ...  # OTEL_EXPORTER_OTLP_ENDPOINT=collector.url
    spans = await collector.wait_until(lambda spans: len(spans) > 3)
"""

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from support.asgi_server import AsgiServer
from support.recording import Recording


@dataclass(frozen=True, slots=True)
class RecordedSpan:
    """A span; ids are hexadecimal."""

    name: str
    trace: str
    id: str
    parent: str
    service: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    """Everything in the span, with its events."""


class OtlpCollector(AsgiServer):
    """Serves `/v1/traces` between enter and exit; `spans` can be read from any thread."""

    def __init__(self) -> None:
        self._spans: Recording[RecordedSpan] = Recording()
        super().__init__(Starlette(routes=[Route("/v1/traces", self._receive, methods=["POST"])]))

    @property
    def spans(self) -> list[RecordedSpan]:
        return self._spans.items

    async def wait_until(
        self, predicate: Callable[[list[RecordedSpan]], bool], *, timeout_seconds: float = 20.0
    ) -> list[RecordedSpan]:
        """Return the spans as soon as the predicate is true for them, or raise TimeoutError."""
        return await self._spans.wait_until_async(predicate, timeout_seconds=timeout_seconds)

    async def _receive(self, request: Request) -> Response:
        body = await request.body()
        if request.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        self._spans.add(*_parse(ExportTraceServiceRequest.FromString(body)))
        return Response(ExportTraceServiceResponse().SerializeToString(), media_type="application/x-protobuf")


def _parse(request: ExportTraceServiceRequest) -> list[RecordedSpan]:
    spans = []
    for resource_spans in request.resource_spans:
        resource = {item.key: item.value.string_value for item in resource_spans.resource.attributes}
        spans += [
            RecordedSpan(
                span.name,
                span.trace_id.hex(),
                span.span_id.hex(),
                span.parent_span_id.hex(),
                resource["service.name"],
                {item.key: item.value.string_value for item in span.attributes},
                str(span),
            )
            for scope_spans in resource_spans.scope_spans
            for span in scope_spans.spans
        ]
    return spans
