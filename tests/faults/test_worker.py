"""`keepsake worker`: forms memories for gateways, stops cleanly, and is replaced when it is killed."""

import asyncio
import signal
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from agent import MessageId, ThreadId, User, UserId, UserMessage, open_agent
from conftest import make_settings, model_settings
from support.client import ApiClient, signed_in
from support.formation_table import run_sql
from support.processes import Process
from support.scripted_openai import ScriptedOpenAI

CHAT = "/v1/chat/completions"
READY = "The worker is running"
ADA = UserId("ada")
FACT_TEXTS = "SELECT value ->> 'text' AS text FROM store WHERE prefix = 'users.ada.memories.user'"


def keepsake(work_dir: Path, *command: str, **environment: str) -> Process:
    settings = {
        "KEEPSAKE_DATA_DIR": str(work_dir / "data"),
        "KEEPSAKE_DEBOUNCE_SECONDS": "0.1",
        "KEEPSAKE_LIMIT_REQUESTS_PER_MINUTE": "0",
    }
    return Process(["keepsake", *command], work_dir=work_dir, **settings | environment)


@pytest.fixture
async def worker_environment(database: str, model: ScriptedOpenAI) -> AsyncIterator[dict[str, str]]:
    """Environment variables of a worker on a database in which Ada's message is due."""
    async with open_agent(make_settings(database, **model_settings(model)), start_worker=False) as agent:
        await agent.users.sign_in(ADA, issuer="test", subject="ada")
        said = UserMessage("I live in Oslo.", MessageId(str(uuid.uuid4())))
        async for _ in await agent.send_message(User(ADA), ThreadId(str(uuid.uuid4())), said):
            pass
        run_sql(database, "UPDATE formation SET due_at = now()")
        yield {"DATABASE_URL": database, "OPENAI_BASE_URL": model.base_url, "KEEPSAKE_EMBEDDING_DIMS": "384"}


@pytest.mark.timeout(120)
async def test_a_worker_forms_memories_for_a_gateway_on_the_same_embedded_postgres(work_dir: Path) -> None:
    with keepsake(work_dir, "serve", "--no-worker", "--port", "0") as gateway:
        address = gateway.wait_for(r"Keepsake is running at (http://127\.0\.0\.1:\d+)")[1]
        async with signed_in(address) as ada:
            await ada.send("I live in Oslo.")
            with keepsake(work_dir, "worker", "--port", "0") as worker:
                health_url = worker.wait_for(rf"{READY}, with health and metrics at (http://127\.0\.0\.1:\d+)")[1]
                await wait_for_memories(ada)
                async with httpx.AsyncClient(base_url=health_url) as http:
                    assert (await http.get("/readyz")).json() == {"status": "ready"}
                    assert (await http.get("/memories")).status_code == 404
                    assert 'memories_total{result="added"} 1.0' in (await http.get("/metrics")).text
                assert 'memories_total{result="added"} 0.0' in (await ada.http.get("/metrics")).text
                assert terminate(worker) == 0
            assert (await ada.http.get("/readyz")).status_code == 200
        assert terminate(gateway) == 0
        assert "Traceback" not in "".join(gateway.output + worker.output)


async def test_a_worker_that_ignores_sigint_stops_on_sigterm(
    work_dir: Path, worker_environment: dict[str, str]
) -> None:
    """A shell starts its background jobs with SIGINT ignored."""
    ignoring = "import signal, gateway.cli; signal.signal(signal.SIGINT, signal.SIG_IGN); gateway.cli.main()"
    with Process(["python", "-c", ignoring, "worker"], work_dir=work_dir, **worker_environment) as worker:
        worker.wait_for(READY)
        assert terminate(worker) == 0


async def test_a_stopped_worker_releases_its_lease_immediately(
    work_dir: Path, database: str, model: ScriptedOpenAI, worker_environment: dict[str, str]
) -> None:
    with model.script.structured_gate.closed(), keepsake(work_dir, "worker", **worker_environment) as worker:
        await model.wait_for_request(CHAT, 2, timeout_seconds=30)
        assert await asyncio.to_thread(terminate, worker) == 0
        [row] = run_sql(database, "SELECT lease, attempts, due_at <= now() AS is_due FROM formation")
        assert row == {"lease": None, "attempts": 0, "is_due": True}


@pytest.mark.timeout(120)
async def test_another_worker_continues_within_30_seconds_after_a_kill(
    work_dir: Path, database: str, model: ScriptedOpenAI, worker_environment: dict[str, str]
) -> None:
    with ExitStack() as stack:
        with model.script.structured_gate.closed():
            killed = stack.enter_context(keepsake(work_dir, "worker", **worker_environment))
            await model.wait_for_request(CHAT, 2, timeout_seconds=30)
            stack.enter_context(keepsake(work_dir, "worker", **worker_environment)).wait_for(READY)
            killed.kill()
            killed_at = time.monotonic()
        request = await model.wait_for_request(CHAT, 3, timeout_seconds=30)
        assert request.received_at - killed_at < 30
        async with asyncio.timeout(10):
            while await asyncio.to_thread(run_sql, database, "SELECT user_id FROM formation"):
                pass
    assert [row["text"] for row in run_sql(database, FACT_TEXTS)] == ["Lives in Oslo"]


@pytest.mark.parametrize(("name", "value"), [("ENABLE_FACT_EXTRACTION", "false"), ("LANGGRAPH_STORE_TYPE", "memory")])
def test_a_worker_refuses_to_start_if_the_settings_leave_it_nothing_to_do(
    work_dir: Path, name: str, value: str
) -> None:
    with keepsake(work_dir, "worker", **{name: value}) as worker:
        assert worker.process.wait(30) == 1
    assert "".join(worker.output).startswith(f"Error: {name}={value}: ")


def terminate(process: Process) -> int:
    """Send SIGTERM; returns the exit code."""
    process.process.send_signal(signal.SIGTERM)
    return process.process.wait(30)


async def wait_for_memories(client: ApiClient) -> None:
    async with asyncio.timeout(20):
        while not await client.memories():
            pass
