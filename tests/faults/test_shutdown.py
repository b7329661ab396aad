"""SIGTERM during answers: they end or are kept in part, clients learn where to continue, and no request is lost."""

import asyncio
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Self

import httpx
import pytest
from httpx_sse import aconnect_sse

from support.client import ApiClient, Json, StreamedReply, new_thread, signed_in
from support.installation import EXIT_WITHIN_SECONDS, Installation, address_of, terminate
from support.scripted_openai import ScriptedOpenAI

STREAMS = 30
REQUESTS = 56
WORDS = "one two three four"


@pytest.fixture
def installation(work_dir: Path, database: str, model: ScriptedOpenAI) -> Iterator[Installation]:
    """An installation whose model pauses after two words."""
    model.script.reply = lambda _: WORDS
    model.script.hold_after_tokens = 2
    with model.script.chat_gate.closed():
        yield Installation(work_dir, database, model)


async def _messages(client: ApiClient, thread: str) -> list[Json]:
    return list((await client.http.get(f"/threads/{thread}/messages")).json()["items"])


async def test_answers_that_outlast_the_grace_period_are_interrupted_and_kept(installation: Installation) -> None:
    threads = {new_thread(): StreamedReply() for _ in range(STREAMS)}
    two_words = asyncio.Semaphore(0)

    async def read(client: ApiClient, thread: str) -> None:
        reply = threads[thread]
        async for event in client.stream(reply, "Count.", thread=thread, id=thread):
            if event == "token" and reply.text == "one two ":
                two_words.release()
        assert "reconnect" in reply.names, reply.events

    with installation.serve(KEEPSAKE_DRAIN_SECONDS="1") as server:
        async with signed_in(address_of(server), "ada") as ada, asyncio.TaskGroup() as readers:
            for thread in threads:
                readers.create_task(read(ada, thread))
            for _ in threads:
                await two_words.acquire()
            stopped_at = time.monotonic()
            assert await terminate(server) == 0
            assert time.monotonic() - stopped_at < EXIT_WITHIN_SECONDS
    for reply in threads.values():
        assert reply.data("run.failed")["problem"]["code"] == "run_interrupted"
    log = [line for line in server.output if " gateway.server" in line or "Traceback" in line or "ERROR" in line]
    assert len(log) == 1
    assert f"{STREAMS} answers" in log[0]

    installation.model.script.chat_gate.open()
    with installation.serve() as server:
        async with signed_in(address_of(server), "ada") as ada:
            for thread, reply in threads.items():
                [_, answer] = await _messages(ada, thread)
                assert (answer["text"], answer["status"]) == (reply.text, "failed")
            again = await ada.send("Count.", thread=thread, id=thread)
            assert (again.text, again.names[-1]) == (WORDS, "run.finished")


async def test_answers_end_within_the_grace_period(installation: Installation) -> None:
    thread, reply = new_thread(), StreamedReply()
    with installation.serve() as server:
        async with signed_in(address_of(server), "ada") as ada:
            async for event in ada.stream(reply, "Count.", thread=thread):
                if reply.text == "one two " and "reconnect" not in reply.names:
                    server.process.send_signal(signal.SIGTERM)
                if event == "reconnect":
                    with pytest.raises(httpx.ConnectError):
                        await httpx.AsyncClient().get(str(ada.http.base_url))
                    installation.model.script.chat_gate.open()
        assert server.process.wait(EXIT_WITHIN_SECONDS) == 0
    assert (reply.text, reply.names[-1]) == (WORDS, "run.finished")


async def test_a_stream_of_another_process_continues_there(installation: Installation) -> None:
    thread, reply, rejoined = new_thread(), StreamedReply(), StreamedReply()
    with installation.serve() as first, installation.serve() as second:
        async with signed_in(address_of(first), "ada") as ada, ada.at_gateway(address_of(second)) as follower:
            async for _ in ada.stream(reply, "Count.", thread=thread):
                if reply.text == "one two ":
                    break
            async for _ in follower.rejoin(rejoined, thread):
                if rejoined.text == "one two " and "reconnect" not in rejoined.names:
                    second.process.send_signal(signal.SIGTERM)
            assert rejoined.names[-1] == "reconnect"
            assert second.process.wait(EXIT_WITHIN_SECONDS) == 0
            installation.model.script.chat_gate.open()
            async for _ in ada.rejoin(rest := StreamedReply(), thread):
                pass
            assert (rest.text, rest.names[-1]) == (WORDS, "run.finished")


async def test_a_second_signal_ends_the_grace_period(installation: Installation) -> None:
    reply = StreamedReply()
    with installation.serve(KEEPSAKE_DRAIN_SECONDS="60") as server:
        async with signed_in(address_of(server), "ada") as ada:
            async for event in ada.stream(reply, "Count."):
                if event == "reconnect" or (reply.text == "one two " and "reconnect" not in reply.names):
                    server.process.send_signal(signal.SIGINT)
        assert server.process.wait(EXIT_WITHIN_SECONDS) == 0
    assert reply.names[-1] == "run.failed"


class RetryingClient:
    """Sends each message until it has a complete reply, at whichever gateway accepts it."""

    def __init__(self, token: str, urls: list[str]) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self._gateways = [httpx.AsyncClient(base_url=url, headers=headers, timeout=30) for url in urls]
        self.completed: list[str] = []
        self.retries = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for gateway in self._gateways:
            await gateway.aclose()

    async def send(self, n: int) -> None:
        message = new_thread()
        for attempt in range(n, n + 500):
            try:
                names, text = await self._read(self._gateways[attempt % len(self._gateways)], message)
            except httpx.TransportError:
                names, text = [], ""
            if names[-1:] == ["run.finished"]:
                assert text == WORDS
                self.completed.append(message)
                return
            self.retries += 1
            await asyncio.sleep(0.05)  # the pace of the client
        raise AssertionError("the message got no reply")

    async def _read(self, gateway: httpx.AsyncClient, message: str) -> tuple[list[str], str]:
        names: list[str] = []
        text = ""
        body = {"text": "Count.", "id": message}
        async with aconnect_sse(gateway, "POST", f"/threads/{message}/messages", json=body) as source:
            if source.response.status_code == 503:
                return names, text
            source.response.raise_for_status()
            async for event in source.aiter_sse():
                names.append(event.event)
                text += event.json()["text"] if event.event == "token" else ""
        return names, text


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.timeout(180)  # starts four gateways
async def test_a_rolling_restart_loses_no_request(installation: Installation) -> None:
    installation.model.script.chat_gate.open()
    installation.model.script.token_delay_seconds = 0.05
    ports, sent, is_restarted = [_free_port(), _free_port()], count(), False
    with ExitStack() as servers:
        running = [servers.enter_context(installation.serve(port=port)) for port in ports]
        urls = [address_of(server) for server in running]
        async with signed_in(urls[0], "ada") as ada, RetryingClient(ada.token, urls) as client:

            async def send() -> None:
                while not is_restarted or len(client.completed) < REQUESTS:
                    await client.send(next(sent))

            senders = [asyncio.create_task(send()) for _ in range(4)]
            for server, port in zip(running, ports, strict=True):
                assert await terminate(server) == 0
                restarted = servers.enter_context(installation.serve(port=port))
                await asyncio.to_thread(address_of, restarted)
            is_restarted = True
            await asyncio.gather(*senders)
            assert client.retries > 0
            assert len(set(client.completed)) == next(sent) >= REQUESTS
