"""OpenTelemetry traces of requests, model calls and SQL, for the collector in the settings.

FastAPI creates the spans of requests itself. Spans contain no content: no parameters of statements, no queries of URLs
and no messages of errors. Without a collector, the extra is not imported, and nothing is recorded.
"""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import httpx2
from anyio import to_thread
from opentelemetry import trace
from opentelemetry.trace import SpanKind, Status, StatusCode

from agent.errors import SetupError
from agent.settings import AgentSettings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

EXPORT_SECONDS = 1.0
"""Timeout of one export, so that a collector that does not answer does not delay the end of the process."""
URL_ATTRIBUTES = ("url.full", "http.url", "http.target")
QUERY_ATTRIBUTE = "url.query"

_tracer = trace.get_tracer("keepsake")


def is_traced() -> bool:
    """True if the current task is part of a sampled trace."""
    return trace.get_current_span().get_span_context().trace_flags.sampled


@contextmanager
def traced(name: str, attributes: dict[str, str]) -> Iterator[None]:
    """Record the block as a span, if it is part of a sampled trace; of its error only the type or the SQLSTATE."""
    if not is_traced():
        yield
        return
    span = _tracer.start_span(name, kind=SpanKind.CLIENT, attributes=attributes)
    try:
        yield
    except Exception as error:
        span.set_attribute("error.type", getattr(error, "sqlstate", None) or type(error).__name__)
        span.set_status(Status(StatusCode.ERROR))
        raise
    finally:
        span.end()


@asynccontextmanager
async def open_opentelemetry(settings: AgentSettings, http: httpx2.AsyncClient) -> AsyncIterator[None]:
    """Send traces to the collector, if there is one, also of the requests of `http`.

    Raises:
        SetupError: the extra is not installed.
    """
    if settings.otlp_endpoint is None:
        yield
        return
    try:
        provider = _make_provider(settings.otlp_endpoint, http)
    except ImportError as error:
        raise SetupError(
            "OTEL_EXPORTER_OTLP_ENDPOINT needs the extra: pip install 'keepsake-agent[otel]' (make install EXTRAS=otel)"
        ) from error
    trace.set_tracer_provider(provider)
    try:
        yield
    finally:
        await to_thread.run_sync(provider.shutdown)  # exports the remaining spans


def _make_provider(endpoint: str, http: httpx2.AsyncClient) -> "TracerProvider":
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - an extra
    from opentelemetry.instrumentation.httpx import HTTPX2ClientInstrumentor  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - an extra

    class UrlRedaction(SpanProcessor):
        """Removes the queries of URLs, which contain search words."""

        def on_start(self, span: Span, parent_context: object = None) -> None:  # noqa: ARG002 - the interface's
            """Overwrite the attributes before any exporter sees them."""
            attributes = span.attributes or {}
            if QUERY_ATTRIBUTE in attributes:
                span.set_attribute(QUERY_ATTRIBUTE, "REDACTED")
            for name in URL_ATTRIBUTES:
                if name in attributes:
                    span.set_attribute(name, str(attributes[name]).partition("?")[0])

        def on_end(self, span: ReadableSpan) -> None:
            """Nothing remains to be done."""

    resource = Resource.create()  # reads OTEL_SERVICE_NAME
    if str(resource.attributes[SERVICE_NAME]).startswith("unknown_service"):
        resource = resource.merge(Resource({SERVICE_NAME: "keepsake"}))
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(UrlRedaction())
    exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces", timeout=EXPORT_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    HTTPX2ClientInstrumentor.instrument_client(http, tracer_provider=provider)  # type: ignore[arg-type] # httpx's type
    logging.getLogger("opentelemetry").setLevel(logging.ERROR)  # one line per failed export, without its retries
    return provider
