"""OpenTelemetry traces: from HTTP to SQL, without content, and nothing without a collector."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.asgi_server import listening_socket
from support.client import new_thread, signed_in
from support.otlp_collector import OtlpCollector, RecordedSpan
from support.processes import Process
from support.scripted_openai import ScriptedOpenAI

SECRET = "zucchini"
TRACE = "0af7651916cd43dd8448eb211c80319c"
SEND = "POST /threads/{thread_id}/messages"


@pytest.fixture
def collector() -> Iterator[OtlpCollector]:
    with OtlpCollector() as server:
        yield server


def _serve(work_dir: Path, database: str, model: ScriptedOpenAI, **environment: str) -> Process:
    return Process(
        ["keepsake", "serve", "--port", "0"],
        work_dir=work_dir,
        DATABASE_URL=database,
        OPENAI_BASE_URL=model.base_url,
        OPENAI_API_KEY="x",
        KEEPSAKE_CHAT_MODELS="scripted",
        KEEPSAKE_EMBEDDING_DIMS="384",
        KEEPSAKE_MODEL_TITLES="false",
        KEEPSAKE_LOCAL_SIGN_IN="open",
        OTEL_BSP_SCHEDULE_DELAY="100",
        **environment,
    )


async def test_a_trace_leads_from_the_request_to_the_model_and_to_sql(
    work_dir: Path, database: str, model: ScriptedOpenAI, collector: OtlpCollector
) -> None:
    with _serve(work_dir, database, model, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url) as server:
        async with signed_in(server.wait_for(r"Keepsake is running at (\S+)")[1]) as client:
            client.http.headers["traceparent"] = f"00-{TRACE}-b7ad6b7169203331-01"
            await client.send("I play the violin.", thread=new_thread())
            spans = await collector.wait_until(_has_ended)
        server.stop()
    [request] = [span for span in spans if span.name == SEND]
    assert (request.trace, request.parent) == (TRACE, "b7ad6b7169203331")  # continues the client's trace
    assert request.service == "keepsake"
    assert request.attributes["http.route"] == "/threads/{thread_id}/messages"
    traced = [span for span in collector.spans if span.trace == TRACE]
    urls = {span.attributes.get("url.full") or span.attributes.get("http.url") for span in traced}
    assert {f"{model.base_url}/chat/completions", f"{model.base_url}/embeddings"} <= urls
    statements = " ".join(span.attributes.get("db.query.text", "") for span in traced)
    for table in ("messages", "store", "checkpoints", "formation"):
        assert table in statements
    assert {"transaction", "SELECT", "INSERT"} <= {span.name for span in traced}
    parents = {span.id for span in traced} | {"b7ad6b7169203331"}
    assert all(span.parent in parents for span in traced)


async def test_spans_contain_no_content(
    work_dir: Path, database: str, model: ScriptedOpenAI, collector: OtlpCollector
) -> None:
    model.script.reply = lambda _: f"Your {SECRET} is green."
    with _serve(work_dir, database, model, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url) as server:
        async with signed_in(server.wait_for(r"Keepsake is running at (\S+)")[1]) as client:
            await client.send(f"My {SECRET} is green.")
            await client.flush()
            await client.http.get("/memories", params={"q": SECRET})
            await client.http.get("/threads", params={"q": SECRET})
            model.script.chat_status = 400  # its error quotes nothing, but is an error
            await client.send(f"Is my {SECRET} green?")
            await client.http.get("/me", headers={"Authorization": f"Bearer {SECRET}"})
            await client.http.get("/metrics")
            await collector.wait_until(lambda spans: any(span.attributes.get("http.route") == "/me" for span in spans))
        server.stop()
    assert any(span.attributes.get("url.query") == "REDACTED" for span in collector.spans)
    assert not any(SECRET in span.text for span in collector.spans)
    assert not any("/metrics" in span.text for span in collector.spans)


async def test_without_a_collector_nothing_is_sent(
    work_dir: Path, database: str, model: ScriptedOpenAI, collector: OtlpCollector
) -> None:
    with _serve(work_dir, database, model) as server:
        async with signed_in(server.wait_for(r"Keepsake is running at (\S+)")[1]) as client:
            await client.send("I play the violin.")
        server.stop()
    assert collector.spans == []


def test_without_a_collector_the_exporter_is_not_imported() -> None:
    names = ("opentelemetry.exporter", "opentelemetry.instrumentation")
    code = f"import sys, gateway.server; print([name for name in sys.modules if name.startswith({names})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_a_collector_that_does_not_answer_delays_neither_turns_nor_the_end(
    work_dir: Path, database: str, model: ScriptedOpenAI
) -> None:
    with listening_socket() as silent:
        silent.listen()
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with _serve(work_dir, database, model, OTEL_EXPORTER_OTLP_ENDPOINT=endpoint) as server:
            async with signed_in(server.wait_for(r"Keepsake is running at (\S+)")[1]) as client:
                reply = await client.send("I play the violin.")
                assert reply.data("run.finished") == {"status": "completed"}
            started = time.monotonic()
            server.stop()
            assert time.monotonic() - started < 10
    assert "Traceback" not in "".join(server.output)


def _has_ended(spans: list[RecordedSpan]) -> bool:
    """The request and the commit of the turn, whose order is not defined, are exported."""
    texts = [span.attributes.get("db.query.text", "") for span in spans]
    return any(span.name == SEND for span in spans) and any("UPDATE runs SET status" in text for text in texts)
