"""Several processes on one port (`KEEPSAKE_PROCESSES`) behave like one gateway, and stop together."""

import asyncio
import re
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import pytest

from conftest import DIMS, Databases
from support.client import ApiClient, new_thread, signed_in
from support.processes import Process
from support.scripted_openai import ScriptedOpenAI

WORDS = "one two three four"
CHAT = "/v1/chat/completions"
EXIT_WITHIN_SECONDS = 20.0
MAX_CONNECTIONS = 60
METRICS_REQUESTS = re.compile(r'^http_requests_total\{.*process="(\d)",route="/metrics".*\} (\S+)$', re.MULTILINE)

pytestmark = pytest.mark.timeout(120)


@dataclass(frozen=True)
class Group:
    """A running group of two processes, and its model."""

    process: Process
    url: str
    model: ScriptedOpenAI

    @asynccontextmanager
    async def connections(self, user: ApiClient) -> AsyncIterator[list[httpx.AsyncClient]]:
        """Clients of a user with one connection each: one to each process."""
        found: dict[str, httpx.AsyncClient] = {}
        async with AsyncExitStack() as stack:
            for _ in range(MAX_CONNECTIONS):
                http = await stack.enter_async_context(
                    httpx.AsyncClient(
                        base_url=self.url,
                        headers=user.http.headers,
                        limits=httpx.Limits(max_connections=1),
                        trust_env=False,
                        timeout=30,
                    )
                )
                found.setdefault(await _process_number(http), http)
                if len(found) == 2:
                    break
            assert found.keys() == {"0", "1"}
            yield [found["0"], found["1"]]


async def _process_number(http: httpx.AsyncClient) -> str:
    """The number of the process that answers on a connection: the one that counts the first request."""
    before, after = [
        Counter({number: float(count) for number, count in METRICS_REQUESTS.findall((await http.get("/metrics")).text)})
        for _ in range(2)
    ]
    [number] = map(str, after - before)
    return number


def _address(process: Process) -> str:
    return process.wait_for(r"Keepsake is running at (http://127\.0\.0\.1:\d+)", timeout_seconds=60)[1]


@contextmanager
def _running_group(databases: Databases, work_dir: Path) -> Iterator[Group]:
    database = databases.create("text-embedding-3-small")
    with ScriptedOpenAI() as model:
        process = Process(
            ["keepsake", "serve", "--port", "0"],
            work_dir=work_dir,
            DATABASE_URL=database,
            KEEPSAKE_PROCESSES="2",
            KEEPSAKE_EMBEDDING_DIMS=str(DIMS),
            OPENAI_API_KEY="x",
            OPENAI_BASE_URL=model.base_url,
            KEEPSAKE_MODEL_TITLES="false",
        )
        with process:
            yield Group(process, _address(process), model)


@pytest.fixture(scope="module")
def group(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Group]:
    with _running_group(databases, tmp_path_factory.mktemp("group")) as running:
        yield running


@pytest.fixture
def own_group(databases: Databases, work_dir: Path) -> Iterator[Group]:
    """A group that no other test uses."""
    with _running_group(databases, work_dir) as running:
        yield running


async def test_a_reply_is_joined_at_the_other_process(group: Group) -> None:
    thread = new_thread()
    async with signed_in(group.url) as user, group.connections(user) as [sender, other]:
        with group.model.script.chat_gate.closed():
            sending = await _send(group, sender, thread)
            joining = asyncio.create_task(other.get(f"/threads/{thread}/stream"))
            async with signed_in(group.url) as stranger:
                assert (await stranger.http.get(f"/threads/{thread}/stream")).status_code == 404
        for response in (await sending, await joining):
            assert "".join(re.findall(r'event: token\ndata: {"text": "(.*)"}', response.text)) == WORDS
            assert '"status": "completed"' in response.text


async def test_a_reply_is_cancelled_at_the_other_process(group: Group) -> None:
    thread = new_thread()
    async with signed_in(group.url) as user, group.connections(user) as [other, sender]:
        with group.model.script.chat_gate.closed():
            sending = await _send(group, sender, thread)
            assert (await other.post(f"/threads/{thread}/cancel")).json() == {"cancelled": True}
            assert '"status": "cancelled"' in (await sending).text


async def _send(group: Group, http: httpx.AsyncClient, thread: str) -> asyncio.Task[httpx.Response]:
    """Send a message, and wait until the model is asked; it pauses after two words."""
    group.model.script.reply, group.model.script.hold_after_tokens = lambda _: WORDS, 2
    requests = group.model.count(CHAT)
    sending = asyncio.create_task(http.post(f"/threads/{thread}/messages", json={"text": "Count."}))
    await group.model.wait_for_request(CHAT, requests + 1, timeout_seconds=30)
    return sending


async def test_a_process_that_is_killed_is_started_again(group: Group) -> None:
    async with signed_in(group.url) as user:
        [killed, *_] = _gateways(group.process)
        killed.kill()
        group.process.wait_for("a process ended unexpectedly")
        async with group.connections(user):  # connections wait for the new process
            assert killed.pid not in {process.pid for process in _gateways(group.process)}


async def test_a_process_that_cannot_be_started_again_is_started_later(own_group: Group) -> None:
    parent = psutil.Process(own_group.process.pid)
    [killed, *_] = _gateways(own_group.process)
    limits = parent.rlimit(psutil.RLIMIT_NOFILE)
    parent.rlimit(psutil.RLIMIT_NOFILE, (0, limits[1]))
    try:
        killed.kill()
        own_group.process.wait_for("a process could not be started: .*; it is started again")
    finally:
        parent.rlimit(psutil.RLIMIT_NOFILE, limits)
    async with signed_in(own_group.url) as user, own_group.connections(user):
        assert len(_gateways(own_group.process)) == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_process_remains(work_dir: Path, number: signal.Signals) -> None:
    data = work_dir / "data"
    with Process(
        ["keepsake", "serve", "--port", "0"], work_dir=work_dir, KEEPSAKE_PROCESSES="2", KEEPSAKE_DATA_DIR=str(data)
    ) as process:
        _address(process)
        postmaster = int((data / "postgres" / "postmaster.pid").read_text().partition("\n")[0])
        started = [*psutil.Process(process.pid).children(recursive=True), psutil.Process(postmaster)]
        assert len(_gateways(process)) == 2
        process.process.send_signal(number)
        assert process.process.wait(EXIT_WITHIN_SECONDS) == (-number if number == signal.SIGKILL else 0)
        assert psutil.wait_procs(started, EXIT_WITHIN_SECONDS)[1] == []
        assert "Traceback" not in "".join(process.output)


def test_several_processes_need_a_shared_store(work_dir: Path) -> None:
    with Process(
        ["keepsake", "serve", "--port", "0"], work_dir=work_dir, KEEPSAKE_PROCESSES="2", LANGGRAPH_STORE_TYPE="memory"
    ) as process:
        process.wait_for("LANGGRAPH_STORE_TYPE=memory: several processes cannot share the memory of one")
        assert process.process.wait(EXIT_WITHIN_SECONDS) == 1


def _gateways(process: Process) -> list[psutil.Process]:
    children = psutil.Process(process.pid).children()
    return [child for child in children if "gateway.cli" in child.cmdline()]
