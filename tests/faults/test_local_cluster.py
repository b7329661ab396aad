"""The cluster of `deploy/local-cluster`: nginx, two gateways, PgBouncer, two workers and one Postgres."""

import asyncio
import random
import re
import signal
import tempfile
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.processes import Process
from support.reconnecting_client import ReconnectingClient
from support.scripted_openai import ScriptedOpenAI

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(180)]

PROGRAM = Path(__file__).parents[2] / "deploy/local-cluster/cluster.py"
START_SECONDS = 120
MESSAGES_PER_MINUTE = 20
CLIENTS = 4
WORDS = "one two three four five six seven eight"


@dataclass(frozen=True)
class Cluster:
    process: Process
    url: str
    folder: Path
    model: ScriptedOpenAI

    @property
    def gateways(self) -> list[str]:
        """The present gateways; a restart replaces them."""
        addresses = re.findall(r"server (\S+)", (self.folder / "gateways.conf").read_text())
        return [f"http://{address}" for address in addresses]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory() as folder, ScriptedOpenAI() as model:
        command = ["python", str(PROGRAM), "--port", "0", "--folder", folder]
        environment = {
            "KEEPSAKE_LOCAL_SIGN_IN": "open",
            "KEEPSAKE_LIMIT_MESSAGES_PER_MINUTE": str(MESSAGES_PER_MINUTE),
            "KEEPSAKE_LIMIT_RUNS": "0",
            "KEEPSAKE_LIMIT_REQUESTS_PER_MINUTE": "0",
            "KEEPSAKE_RECALL_DEADLINE_MS": "5000",
            "KEEPSAKE_MODEL_TITLES": "false",
            "KEEPSAKE_EMBEDDING_DIMS": "384",
            "OPENAI_BASE_URL": model.base_url,
            "OPENAI_API_KEY": "x",
        }
        model.script.reply = lambda _: WORDS
        with Process(command, work_dir=Path(folder), **environment) as process:
            url = process.wait_for(r"cluster is running at (\S+)", timeout_seconds=START_SECONDS)[1]
            yield Cluster(process, url, Path(folder), model)


@asynccontextmanager
async def at_gateways(cluster: Cluster, user: ApiClient) -> AsyncIterator[list[ApiClient]]:
    """Clients of a user at each gateway, without nginx."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(user.at_gateway(url)) for url in cluster.gateways]


async def test_streams_continue_at_any_gateway(cluster: Cluster) -> None:
    pick = random.Random(7)
    async with signed_in(cluster.url) as ada, at_gateways(cluster, ada) as elsewhere:
        clients = [client.http for client in (ada, *elsewhere)]
        replies = [ReconnectingClient() for _ in range(5)]
        await asyncio.gather(*(each.send_with_disconnects(clients, new_thread(), "Count.", pick) for each in replies))
    assert all(reply.text == WORDS for reply in replies)
    assert sum(reply.reconnects for reply in replies) > 0


async def test_a_message_limit_holds_for_all_gateways_together(cluster: Cluster) -> None:
    async with signed_in(cluster.url) as ada:
        await ada.http.get("/me")  # creates the account
        path, body = "/threads/{}/messages", {"text": "Count."}
        posts = [ada.http.post(path.format(new_thread()), json=body) for _ in range(MESSAGES_PER_MINUTE + 6)]
        statuses = Counter(response.status_code for response in await asyncio.gather(*posts))
    assert statuses == {200: MESSAGES_PER_MINUTE, 429: 6}


async def test_an_inbox_is_processed_by_one_process_at_a_time(cluster: Cluster) -> None:
    statement = f"I live in Oslo and my sister is called Ingrid {uuid.uuid4().hex}."

    def extractions() -> int:
        """The model calls for this user; the workers also process what the other users of this cluster said."""
        return sum(statement in str(request.messages) for request in cluster.model.structured_requests())

    async with signed_in(cluster.url) as ada, at_gateways(cluster, ada) as elsewhere:
        await ada.send(statement)
        with cluster.model.script.structured_gate.closed():
            drains = [asyncio.create_task(client.flush()) for client in (*elsewhere, ada, *elsewhere)]
            done, _ = await asyncio.wait(drains, timeout=2.0)
            assert not done
            assert extractions() == 1
        results = await asyncio.gather(*drains)
        memories = await ada.memories()
    assert extractions() == 1
    assert sum(result["added"] + result["episodes"] for result in results) == len(memories) > 0


async def test_a_rolling_restart_fails_no_request(cluster: Cluster) -> None:
    restarted = asyncio.Event()
    outcomes = await asyncio.gather(
        _restart(cluster, restarted), *(_talk(cluster.url, restarted) for _ in range(CLIENTS))
    )
    assert all(outcomes[1:])


async def _restart(cluster: Cluster, restarted: asyncio.Event) -> None:
    cluster.process.process.send_signal(signal.SIGHUP)
    await asyncio.to_thread(cluster.process.wait_for, "gateways were restarted", timeout_seconds=START_SECONDS)
    restarted.set()


async def _talk(url: str, restarted: asyncio.Event) -> int:
    """Send messages and read until the restart has ended; return the number of complete replies."""
    replies = 0
    while not restarted.is_set():
        # Each user stays below the limit. nginx closes idle connections when it is reloaded, maybe as they are used.
        async with signed_in(url, keep_alive=False) as user:
            for _ in range(MESSAGES_PER_MINUTE):
                await _send(user)
                response = await user.http.get("/threads")
                assert response.status_code == 200
                replies += 1
                if restarted.is_set():
                    break
    return replies


async def _send(user: ApiClient) -> None:
    thread, reply = new_thread(), StreamedReply()
    async for _ in user.stream(reply, "Count.", thread=thread):
        pass
    if reply.names[-1] == "reconnect":  # the gateway stopped before its answer ended, and says so
        async for _ in user.rejoin(reply := StreamedReply(), thread):
            pass
    assert (reply.text, reply.names[-1]) == (WORDS, "run.finished")
