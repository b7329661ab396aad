"""`kill -9` loses nothing, and leaves nothing running."""

import asyncio
from pathlib import Path

import psutil

from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.processes import Process

TOLD = "For future chats: I live in London, my nickname is RS, and I like concise bullet answers."
ASKED = "Where do I live and what's my nickname?"


def _serve(work_dir: Path, **environment: str) -> Process:
    command = ["keepsake", "serve", "--port", "0"]
    return Process(command, work_dir=work_dir, KEEPSAKE_DATA_DIR=str(work_dir / "data"), **environment)


def _address(server: Process) -> str:
    return server.wait_for(r"Keepsake is at (http://127\.0\.0\.1:\d+)")[1]


def _postgres_of(work_dir: Path) -> list[psutil.Process]:
    """Return the database's processes: the postmaster of a folder and all that it started."""
    mine = []
    for process in psutil.process_iter(["name", "cmdline"]):
        command = process.info["cmdline"] or []
        if process.info["name"] == "postgres" and str(work_dir) in " ".join(command):
            mine += [process, *process.children(recursive=True)]
    return mine


def _until_gone(work_dir: Path) -> None:
    _, alive = psutil.wait_procs(_postgres_of(work_dir), timeout=20)
    assert not alive


async def _knows(address: str) -> None:
    async with signed_in(address, "ada") as ada:
        reply = await ada.send(ASKED)
        assert "London" in reply.text
        assert "RS" in reply.text
    async with signed_in(address, "bob") as bob:
        assert (await bob.send(ASKED)).recalled == []


async def test_what_was_said_survives_a_kill_right_away_and_after_formation(work_dir: Path) -> None:
    with _serve(work_dir) as first:
        async with signed_in(_address(first), "ada") as ada:
            async for event in ada.stream(StreamedReply(), TOLD):
                if event == "run.started":  # safe from here on
                    first.kill()
                    break
    _until_gone(work_dir)
    with _serve(work_dir) as second:
        address = _address(second)
        await _knows(address)
        async with signed_in(address, "ada") as ada:
            await _until_formed(ada)
        second.kill()
    _until_gone(work_dir)
    with _serve(work_dir) as third:
        await _knows(_address(third))


async def test_a_worker_distils_what_an_earlier_process_left(work_dir: Path) -> None:
    with _serve(work_dir) as first:
        async with signed_in(_address(first), "ada") as ada:
            await ada.send(TOLD)
        first.kill()
    with _serve(work_dir, KEEPSAKE_DEBOUNCE_SECONDS="0.1") as second:
        async with signed_in(_address(second), "ada") as ada:
            await ada.send("Hello.", thread=new_thread())  # moves the due time to now
            async with asyncio.timeout(20):
                while len(await ada.memories()) < 3:
                    pass
            assert (await ada.flush())["added"] == 0


def test_ctrl_c_stops_everything_cleanly(work_dir: Path) -> None:
    with _serve(work_dir) as server:
        _address(server)
        assert _postgres_of(work_dir)
        assert server.stop() == 0
        assert not _postgres_of(work_dir)
        assert "Traceback" not in "".join(server.output)


def test_two_processes_share_one_embedded_postgres_and_the_last_one_stops_it(work_dir: Path) -> None:
    with _serve(work_dir) as first, _serve(work_dir) as second:
        _address(first)
        _address(second)
        first.kill()
        assert _postgres_of(work_dir)
        assert second.stop() == 0
    _until_gone(work_dir)


def test_a_taken_port_is_told_in_a_sentence(work_dir: Path) -> None:
    with _serve(work_dir) as first:
        port = _address(first).rpartition(":")[2]
        command = ["keepsake", "serve", "--port", port]
        with Process(command, work_dir=work_dir, KEEPSAKE_DATA_DIR=str(work_dir / "data")) as second:
            assert second.process.wait(30) == 1
        assert "".join(second.output).startswith("keepsake: ")


async def _until_formed(ada: ApiClient) -> None:
    """Distil; what was cut off in mid-run is at rest once its hold on the thread has ended."""
    async with asyncio.timeout(40):
        while not any("London" in memory["text"] for memory in await ada.memories()):
            await ada.flush()
