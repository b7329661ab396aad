"""Log lines of a running process: one per outage, with the request and the user, without content."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.client import signed_in
from support.processes import Process
from support.scripted_openai import ScriptedOpenAI

SECRET = "zucchini"


@contextmanager
def _serve(work_dir: Path, database: str, model: ScriptedOpenAI, **environment: str) -> Iterator[tuple[Process, str]]:
    process = Process(
        ["keepsake", "serve", "--port", "0"],
        work_dir=work_dir,
        DATABASE_URL=database,
        OPENAI_BASE_URL=model.base_url,
        OPENAI_API_KEY="sk-x",
        KEEPSAKE_CHAT_MODELS="scripted",
        KEEPSAKE_EMBEDDING_DIMS="384",
        KEEPSAKE_MODEL_TITLES="false",
        KEEPSAKE_RECALL_DEADLINE_MS="5000",
        KEEPSAKE_LOCAL_SIGN_IN="open",
        **environment,
    )
    with process:
        yield process, process.wait_for(r"Keepsake is running at (\S+)")[1]


async def test_an_outage_leaves_one_json_line_with_request_and_user(
    work_dir: Path, database: str, model: ScriptedOpenAI
) -> None:
    model.script.embeddings_status = 500
    with _serve(work_dir, database, model, KEEPSAKE_LOG_FORMAT="json") as (process, url):
        async with signed_in(url) as client:
            user = (await client.http.get("/me")).json()["user_id"]
            client.http.headers["X-Request-ID"] = "trace.me-1"
            replies = [await client.send(f"My {SECRET} has the number {n}.") for n in range(4)]
        process.stop()
    assert all(reply.degraded for reply in replies)
    lines = [json.loads(line) for line in process.output if line.startswith("{")]
    [degraded] = [line for line in lines if "no vector in time" in line["message"]]
    assert (degraded["request_id"], degraded["user"]) == ("trace.me-1", user)
    assert degraded["level"] == "WARNING"
    assert SECRET not in "".join(process.output)


async def test_text_lines_carry_the_same_fields(work_dir: Path, database: str, model: ScriptedOpenAI) -> None:
    model.script.embeddings_status = 500
    with _serve(work_dir, database, model) as (process, url):
        async with signed_in(url) as client:
            user = (await client.http.get("/me")).json()["user_id"]
            await client.send(f"My {SECRET} is green.")
        process.stop()
    [line] = [line for line in process.output if "no vector in time" in line]
    assert line.startswith("WARNING agent.memory.recall.recall: recall is degraded")
    assert f"user={user}" in line
    assert "request_id=" in line
    assert SECRET not in "".join(process.output)
