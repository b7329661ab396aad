"""SIGKILL loses no message and leaves no process running."""

import asyncio
import re
from pathlib import Path

import psutil

from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.processes import Process

STATEMENT = "For future chats: I live in London, my nickname is RS, and I like concise bullet answers."
QUESTION = "Where do I live and what's my nickname?"


def _serve(work_dir: Path, **environment: str) -> Process:
    command = ["keepsake", "serve", "--port", "0"]
    data_dir = str(work_dir / "data")
    # A process that has just started may need longer than the default deadline on a busy machine.
    settings = {
        "KEEPSAKE_DATA_DIR": data_dir,
        "KEEPSAKE_RECALL_DEADLINE_MS": "5000",
        "KEEPSAKE_LIMIT_REQUESTS_PER_MINUTE": "0",
    }
    return Process(command, work_dir=work_dir, **settings, **environment)


def _address(server: Process) -> str:
    return server.wait_for(r"Keepsake is running at (http://127\.0\.0\.1:\d+)")[1]


def _postgres_processes(work_dir: Path) -> list[psutil.Process]:
    """The postmaster of a data directory and its child processes."""
    processes = []
    for process in psutil.process_iter(["name", "cmdline"]):
        command = process.info["cmdline"] or []
        if process.info["name"] == "postgres" and str(work_dir) in " ".join(command):
            processes += [process, *process.children(recursive=True)]
    return processes


def _wait_until_stopped(work_dir: Path) -> None:
    _, alive = psutil.wait_procs(_postgres_processes(work_dir), timeout=20)
    assert not alive


async def _check_memory(address: str) -> None:
    async with signed_in(address, "ada") as ada:
        reply = await ada.send(QUESTION)
        assert "London" in reply.text
        assert "RS" in reply.text
    async with signed_in(address, "bob") as bob:
        assert (await bob.send(QUESTION)).recalled == []


async def test_a_statement_survives_a_kill_before_and_after_formation(work_dir: Path) -> None:
    with _serve(work_dir) as first:
        async with signed_in(_address(first), "ada") as ada:
            async for event in ada.stream(StreamedReply(), STATEMENT):
                if event == "run.started":  # the message is durable from here on
                    first.kill()
                    break
    _wait_until_stopped(work_dir)
    with _serve(work_dir) as second:
        address = _address(second)
        await _check_memory(address)
        async with signed_in(address, "ada") as ada:
            await _wait_until_formed(ada)
        second.kill()
    _wait_until_stopped(work_dir)
    with _serve(work_dir) as third:
        await _check_memory(_address(third))


async def test_a_worker_processes_the_inbox_of_a_killed_process(work_dir: Path) -> None:
    with _serve(work_dir) as first:
        async with signed_in(_address(first), "ada") as ada:
            await ada.send(STATEMENT)
        first.kill()
    with _serve(work_dir, KEEPSAKE_DEBOUNCE_SECONDS="0.1") as second:
        async with signed_in(_address(second), "ada") as ada:
            await ada.send("Hello.", thread=new_thread())  # moves the due time to now
            async with asyncio.timeout(20):
                while len(await ada.memories()) < 3:
                    pass
            assert (await ada.flush())["added"] == 0


def test_sigint_stops_all_processes(work_dir: Path) -> None:
    with _serve(work_dir) as server:
        _address(server)
        assert _postgres_processes(work_dir)
        assert server.stop() == 0
        assert not _postgres_processes(work_dir)
        assert "Traceback" not in "".join(server.output)


def test_two_gateways_share_the_embedded_postgres_and_the_last_one_stops_it(work_dir: Path) -> None:
    with _serve(work_dir) as first, _serve(work_dir) as second:
        _address(first)
        _address(second)
        first.kill()
        assert _postgres_processes(work_dir)
        assert second.stop() == 0
    _wait_until_stopped(work_dir)


def test_a_port_in_use_is_reported_without_a_traceback(work_dir: Path) -> None:
    with _serve(work_dir) as first:
        port = _address(first).rpartition(":")[2]
        command = ["keepsake", "serve", "--port", port]
        with Process(command, work_dir=work_dir, KEEPSAKE_DATA_DIR=str(work_dir / "data")) as second:
            assert second.process.wait(30) == 1
        assert re.fullmatch(
            rf"Error: port {port} on 127\.0\.0\.1 is in use: .*KEEPSAKE_PORT.*\n", "".join(second.output)
        )


async def _wait_until_formed(ada: ApiClient) -> None:
    """Process the inbox until the fact is formed; a message of a killed run is processed once its lease has expired."""
    async with asyncio.timeout(40):
        while not any("London" in memory["text"] for memory in await ada.memories()):
            await ada.flush()
