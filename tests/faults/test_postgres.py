"""A Postgres that is killed, frozen, unreachable or full: Keepsake says so, and recovers by itself."""

import asyncio
import os
import shutil
import subprocess
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest
from psycopg import sql

from agent import AgentSettings
from conftest import make_settings, model_settings
from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.gateway import RunningGateway
from support.processes import Process
from support.scripted_openai import ScriptedOpenAI

STATEMENT = "I live in London and my nickname is RS."
QUESTION = "Where do I live and what's my nickname?"
ANSWER_SECONDS = 5.0
BUSY_MACHINE = 3.0  # factor for the bounds of the design


def embedded(folder: Path, **settings: object) -> AgentSettings:
    return make_settings(
        "", database_url=None, data_dir=folder, recall_deadline_ms=5_000, debounce_seconds=0.1, **settings
    )


@pytest.fixture
def gateway(work_dir: Path) -> Iterator[RunningGateway]:
    """A gateway with an embedded Postgres of its own."""
    with RunningGateway(embedded(work_dir)) as running:
        yield running


@pytest.fixture
async def ada(gateway: RunningGateway) -> AsyncIterator[ApiClient]:
    async with signed_in(gateway.url, "ada") as client:
        yield client


def postmaster(work_dir: Path) -> psutil.Process:
    pid = (work_dir / "postgres" / "postmaster.pid").read_text().partition("\n")[0]
    return psutil.Process(int(pid))


@contextmanager
def frozen(work_dir: Path) -> Iterator[None]:
    """Stop all processes of Postgres during the block."""
    parent = postmaster(work_dir)
    processes = [parent, *parent.children()]
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            process.resume()


async def until_ready(http: httpx.AsyncClient, *, timeout_seconds: float) -> None:
    async with asyncio.timeout(timeout_seconds):
        while (await http.get("/readyz")).status_code != 200:
            pass


def _is_replaced(work_dir: Path, killed: psutil.Process) -> bool:
    with suppress(OSError, ValueError, IndexError, psutil.NoSuchProcess):  # the file is absent or incomplete meanwhile
        return postmaster(work_dir) != killed
    return False


async def test_a_killed_postgres_is_restarted_and_the_service_recovers(work_dir: Path, ada: ApiClient) -> None:
    await ada.send(STATEMENT)
    killed = postmaster(work_dir)
    killed.kill()
    async with asyncio.timeout(10 * BUSY_MACHINE):
        while not _is_replaced(work_dir, killed):  # until then, connections of the killed server may still answer
            await ada.http.get("/readyz")
    await until_ready(ada.http, timeout_seconds=10 * BUSY_MACHINE)
    reply = await ada.send(QUESTION, thread=new_thread())
    assert "London" in reply.text
    assert not reply.degraded
    async with asyncio.timeout(30):  # the worker continues, and listens for notifications again
        while not any("London" in memory["text"] for memory in await ada.memories()):
            pass


async def test_with_a_frozen_postgres_everything_answers_and_then_recovers(work_dir: Path, ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send(STATEMENT, thread=thread)
    with frozen(work_dir):
        message = {"text": QUESTION}
        async with asyncio.timeout(ANSWER_SECONDS * BUSY_MACHINE):
            answers = await asyncio.gather(
                ada.http.get("/readyz"),
                ada.http.get("/memories"),
                ada.http.get("/threads"),
                ada.http.post(f"/threads/{thread}/messages", json=message),
                *[ada.http.post(f"/threads/{new_thread()}/messages", json=message) for _ in range(20)],
            )
            # The fault is known now: these do not wait for it.
            answers += [await ada.http.get("/readyz") for _ in range(20)]
        assert {answer.status_code for answer in answers} == {503}
        assert {answer.json()["code"] for answer in answers} == {"store_unavailable"}
        assert (await ada.http.get("/healthz")).status_code == 200
    await until_ready(ada.http, timeout_seconds=10 * BUSY_MACHINE)
    assert "London" in (await ada.send(QUESTION, thread=thread)).text


async def test_a_turn_ends_soon_after_postgres_was_frozen(work_dir: Path, model: ScriptedOpenAI) -> None:
    reply = StreamedReply()
    with RunningGateway(embedded(work_dir, **model_settings(model))) as gateway, ExitStack() as stack:
        async with signed_in(gateway.url, "ada") as ada:
            await ada.send(STATEMENT)
            model.script.chat_gate.close()  # the answer is not complete before Postgres is frozen
            async with asyncio.timeout(ANSWER_SECONDS * BUSY_MACHINE):
                async for event in ada.stream(reply, QUESTION):
                    if event == "run.started":
                        stack.enter_context(frozen(work_dir))
                        model.script.chat_gate.open()
    assert reply.names[-1] == "run.failed"
    assert reply.data("run.failed")["problem"]["code"] == "store_unavailable"


def _serve(work_dir: Path, database: str) -> list[str]:
    """Start a server that must end with an error, and return its output."""
    with Process(["keepsake", "serve", "--port", "0"], work_dir=work_dir, DATABASE_URL=database) as server:
        assert server.process.wait(60) == 1
    return server.output


def test_an_unreachable_postgres_is_reported_in_one_line(work_dir: Path) -> None:
    assert _serve(work_dir, "postgresql://me:secret@127.0.0.1:9/x") == [
        "Error: cannot connect to the database at 127.0.0.1:9 (DATABASE_URL): Connection refused\n"
    ]


def test_a_postgres_with_too_many_clients_is_reported_in_one_line(work_dir: Path, postgres: str) -> None:
    role = sql.Identifier(f"limited_{uuid.uuid4().hex}")
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN CONNECTION LIMIT 0").format(role))
        [line] = _serve(work_dir, postgres.replace("postgres:@", f"{role.as_string()[1:-1]}:@"))
        connection.execute(sql.SQL("DROP ROLE {}").format(role))
    assert line.startswith("Error: cannot connect to the database at ")
    assert "too many connections" in line


def test_a_corrupt_embedded_postgres_is_reported_in_one_line(work_dir: Path) -> None:
    folder = work_dir / "data" / "postgres"
    folder.mkdir(parents=True)
    (folder / "PG_VERSION").write_text("18")
    (folder / "postgresql.conf").write_text("max_connections = many\n")
    command = ["keepsake", "serve", "--port", "0"]
    with Process(command, work_dir=work_dir, KEEPSAKE_DATA_DIR=str(work_dir / "data")) as server:
        assert server.process.wait(60) == 1
    [line] = server.output
    assert line.startswith("Error: the embedded Postgres did not start: ")
    assert str(folder / "log") in line


@pytest.fixture
def small_disk(work_dir: Path) -> Iterator[Path]:
    """A file system of its own, with room for an empty database."""
    folder = work_dir / "disk"
    folder.mkdir()
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160m", "none", folder], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("only an administrator can mount a file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


async def test_a_full_disk_is_reported_and_the_service_recovers(small_disk: Path) -> None:
    with RunningGateway(embedded(small_disk)) as gateway:
        async with signed_in(gateway.url, "ada") as ada:
            assert (await ada.http.get("/readyz")).status_code == 200
            filler = small_disk / "filler"
            with pytest.raises(OSError, match="No space left"):
                filler.write_bytes(bytes(shutil.disk_usage(small_disk).free + 1))
            full = await ada.http.get("/readyz")
            assert (full.status_code, full.json()["detail"]) == (503, "the disk of the database is full")
            os.truncate(filler, 0)
            await until_ready(ada.http, timeout_seconds=30)
            assert (await ada.send(STATEMENT)).names[-1] == "run.finished"
