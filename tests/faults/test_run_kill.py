"""`kill -9` during an answer: the run fails, its text so far is kept, and the thread continues."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.client import ApiClient, Json, StreamedReply, new_thread, signed_in
from support.processes import Process
from support.scripted_openai import ScriptedOpenAI

ENDED_WITHIN_SECONDS = 30.0


@pytest.fixture
def counting_model(model: ScriptedOpenAI) -> Iterator[ScriptedOpenAI]:
    """A model that pauses after two words."""
    model.script.reply = lambda _: "one two three four"
    model.script.hold_after_tokens = 2
    with model.script.chat_gate.closed():
        yield model


def _serve(work_dir: Path, model: ScriptedOpenAI) -> Process:
    return Process(
        ["keepsake", "serve", "--port", "0"],
        work_dir=work_dir,
        KEEPSAKE_DATA_DIR=str(work_dir / "data"),
        KEEPSAKE_EMBEDDING_DIMS="384",
        KEEPSAKE_MODEL_TITLES="false",
        OPENAI_API_KEY="x",
        OPENAI_BASE_URL=model.base_url,
    )


def _address(server: Process) -> str:
    return server.wait_for(r"Keepsake is running at (http://127\.0\.0\.1:\d+)")[1]


async def test_a_client_of_another_process_receives_run_failed(work_dir: Path, counting_model: ScriptedOpenAI) -> None:
    thread, message, streamed = new_thread(), new_thread(), StreamedReply()
    with _serve(work_dir, counting_model) as first, _serve(work_dir, counting_model) as second:
        async with signed_in(_address(first), "ada") as ada, ada.at_gateway(_address(second)) as second_client:
            await _send_until_two_words(ada, thread, message)
            async with asyncio.timeout(ENDED_WITHIN_SECONDS):
                async for event in second_client.rejoin(streamed, thread):
                    if event == "token" and streamed.text == "one two ":  # the tokens may be saved one by one
                        first.kill()
            assert streamed.text == "one two "
            assert streamed.data("run.failed")["problem"]["code"] == "run_interrupted"
            [_, reply] = await _messages(second_client, thread)
            assert (reply["text"], reply["status"]) == ("one two ", "failed")
            counting_model.script.chat_gate.open()
            again = await second_client.send("Count.", thread=thread, id=message)
            assert again.data("run.finished") == {"status": "completed"}
            assert [one["text"] for one in await _messages(second_client, thread)] == ["Count.", "one two three four"]


async def test_after_a_restart_lost_runs_have_failed_and_their_threads_continue(
    work_dir: Path, counting_model: ScriptedOpenAI
) -> None:
    threads = [new_thread() for _ in range(3)]
    with _serve(work_dir, counting_model) as server:
        async with signed_in(_address(server), "ada") as ada:
            for thread in threads:
                await _send_until_two_words(ada, thread, new_thread())
        server.kill()
    counting_model.script.chat_gate.open()
    with _serve(work_dir, counting_model) as server:
        async with signed_in(_address(server), "ada") as ada:
            started_at = time.monotonic()
            for thread in threads:
                reply = StreamedReply()
                async for _ in ada.rejoin(reply, thread):
                    pass
                assert reply.names[-1] == "run.failed"
            assert time.monotonic() - started_at < ENDED_WITHIN_SECONDS
            after = await ada.send("What did I say?", thread=threads[0])
            assert after.data("run.finished") == {"status": "completed"}
            _, first, *_ = counting_model.chat_requests()[-1].messages
            assert first == {"role": "user", "content": "Count."}


async def _send_until_two_words(client: ApiClient, thread: str, message: str) -> None:
    """Send a message and disconnect after two words."""
    reply = StreamedReply()
    async for _ in client.stream(reply, "Count.", thread=thread, id=message):
        if reply.text == "one two ":
            return


async def _messages(client: ApiClient, thread: str) -> list[Json]:
    return list((await client.http.get(f"/threads/{thread}/messages")).json()["items"])
