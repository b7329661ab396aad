"""Traces and ratings in LangSmith: opaque ids only, no secrets, and nothing without tracing."""

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.langsmith_capture import LangSmithCapture
from support.processes import Process
from support.scripted_openai import ScriptedOpenAI

MAX_STOP_SECONDS = 6.0  # without the outage 1 or 2; on a busy machine more
OPENING = "You have durable memory about this user"


@pytest.fixture
def capture() -> Iterator[LangSmithCapture]:
    with LangSmithCapture() as server:
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
        **environment,
    )


def _address(server: Process) -> str:
    return str(server.wait_for(r"Keepsake is running at (\S+)")[1])


async def _two_turns(address: str) -> tuple[str, str]:
    """Send two messages; return the user's opaque id and the second thread."""
    thread = new_thread()
    async with signed_in(address, "ada.lovelace@example.com") as ada:
        user = str((await ada.http.get("/me")).json()["user_id"])
        await ada.send("I play the violin.")
        await ada.send("Do I play the violin?", thread=thread)
    return user, thread


async def test_a_trace_contains_opaque_ids_and_starts_with_the_tip(
    tmp_path: Path, database: str, model: ScriptedOpenAI, capture: LangSmithCapture
) -> None:
    with _serve(tmp_path, database, model, **_tracing(capture)) as server:
        user, thread = await _two_turns(_address(server))
        runs = capture.wait_until(
            lambda runs: any(_thread(run) == thread and run["run_type"] == "llm" and run.get("outputs") for run in runs)
        )
    [asked] = [run for run in runs if run["run_type"] == "llm" and _thread(run) == thread]
    assert asked["extra"]["metadata"]["user_id"] == user
    first = asked["inputs"]["messages"][0][0]
    assert OPENING in json.dumps(first)
    assert "SystemMessage" in json.dumps(first)
    assert "ada.lovelace" not in json.dumps(runs, default=str)


async def test_a_temporary_chat_is_not_traced(
    tmp_path: Path, database: str, model: ScriptedOpenAI, capture: LangSmithCapture
) -> None:
    with _serve(tmp_path, database, model, **_tracing(capture)) as server:
        address = _address(server)
        temporary, permanent = new_thread(), new_thread()
        async with signed_in(address) as ada:
            model.script.reply = lambda _: "I know of a hive."
            await ada.send("I keep bees.", thread=temporary, temporary=True)
            await ada.send("Where do they fly?", thread=temporary)  # temporary because of its thread
            model.script.chat_status = 400
            await ada.send("To a meadow?", thread=temporary)
            model.script.chat_status = 200
            model.script.reply = lambda _: "Well done."
            await ada.send("I play the violin.", thread=permanent)
        capture.wait_until(lambda runs: any(_thread(run) == permanent and run.get("outputs") for run in runs))
        server.stop()  # flushes pending traces
    sent = json.dumps(capture.runs, default=str)
    assert "violin" in sent
    assert not any(word in sent for word in ("bees", "hive", "they fly", "meadow", temporary))


async def test_without_tracing_nothing_is_sent(
    tmp_path: Path, database: str, model: ScriptedOpenAI, capture: LangSmithCapture
) -> None:
    with _serve(tmp_path, database, model, LANGSMITH_ENDPOINT=capture.url, LANGSMITH_API_KEY="x") as server:
        await _two_turns(_address(server))
        server.stop()
    assert capture.runs == []


CARD, KEY, PASSWORD = "4111 1111 1111 1111", "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2", "Tr0ub4dor&3"


async def test_secrets_of_users_are_redacted_also_in_errors(
    tmp_path: Path, database: str, model: ScriptedOpenAI, capture: LangSmithCapture
) -> None:
    with _serve(tmp_path, database, model, **_tracing(capture)) as server:
        address = _address(server)
        failed, answered = new_thread(), new_thread()
        async with signed_in(address) as ada:
            model.script.error_message = f"Incorrect API key provided: {KEY}"
            model.script.chat_status = 401
            await ada.send(f"I play the violin.\nMy card number is {CARD}.", thread=failed)
            model.script.chat_status = 200
            model.script.reply = lambda _: f"Noted.\nYour password is {PASSWORD}"
            await ada.send(f"My password is {PASSWORD}\nI play the cello.", thread=answered)
        capture.wait_until(lambda runs: any(_thread(run) == answered and run.get("outputs") for run in runs))
        server.stop()
    sent = json.dumps(capture.runs, default=str)
    assert all(word in sent for word in ("violin", "cello", "Noted.", "[redacted]"))
    assert any(run.get("error") for run in capture.runs)
    assert not any(secret in sent for secret in (CARD, KEY, PASSWORD))


async def test_a_langsmith_that_never_answers_does_not_delay_the_end(
    tmp_path: Path, database: str, model: ScriptedOpenAI, capture: LangSmithCapture
) -> None:
    with _serve(tmp_path, database, model, **_tracing(capture)) as server:
        await _two_turns(address := _address(server))
        capture.wait_until(bool)
        capture.hold()
        await _two_turns(address)
        capture.block_until_held()
        started = time.monotonic()
        server.stop()
        assert time.monotonic() - started < MAX_STOP_SECONDS


async def _rate(client: ApiClient, reply: StreamedReply, rating: str | None, reason: str | None = None) -> None:
    thread, answer = reply.data("run.started")["thread_id"], reply.data("message.completed")["message_id"]
    url = f"/threads/{thread}/messages/{answer}/feedback"
    (await client.http.post(url, json={"rating": rating, "reason": reason})).raise_for_status()


async def test_a_rating_becomes_feedback_on_the_trace_of_its_answer(
    tmp_path: Path, database: str, model: ScriptedOpenAI, capture: LangSmithCapture
) -> None:
    with _serve(tmp_path, database, model, **_tracing(capture)) as server:
        async with signed_in(_address(server)) as ada:
            reply = await ada.send("I play the violin.", thread=(thread := new_thread()))
            answer = reply.data("message.completed")["message_id"]
            await _rate(ada, reply, "up")
            [good] = await capture.wait_for_feedback(lambda known: len(known) == 1)
            assert (good["run_id"], good["score"], good["session_id"]) == (answer, 1, capture.project)
            [trace] = [run for run in capture.runs if run["id"] == answer]
            assert _thread(trace) == thread

            await _rate(ada, reply, "down", f"Too long.\nMy password is {PASSWORD}")
            [bad] = await capture.wait_for_feedback(lambda known: [one["score"] for one in known] == [0])
            assert bad["id"] == good["id"]
            assert bad["comment"] == "Too long.\n[redacted]\n"
            await _rate(ada, reply, None)
            await capture.wait_for_feedback(lambda known: known == ())


async def test_a_rating_of_a_shared_answer_in_a_branch_belongs_to_the_original_trace(
    tmp_path: Path, database: str, model: ScriptedOpenAI, capture: LangSmithCapture
) -> None:
    with _serve(tmp_path, database, model, **_tracing(capture)) as server:
        async with signed_in(_address(server)) as ada:
            thread = new_thread()
            original = await ada.send("I play the violin.", thread=thread)
            second = await ada.send("And the cello.", thread=thread)
            question = second.data("run.started")["message_id"]
            created = await ada.http.post(f"/threads/{thread}/branches", json={"before": question})
            branch = created.json()["thread_id"]
            copy = (await ada.http.get(f"/threads/{branch}/messages")).json()["items"][1]["id"]
            await ada.http.post(f"/threads/{branch}/messages/{copy}/feedback", json={"rating": "up"})
            [feedback] = await capture.wait_for_feedback(lambda known: len(known) == 1)
    assert feedback["run_id"] == original.data("message.completed")["message_id"]


async def test_ratings_in_temporary_chats_and_without_tracing_are_not_sent(
    tmp_path: Path, database: str, model: ScriptedOpenAI, capture: LangSmithCapture
) -> None:
    keys = {"LANGSMITH_ENDPOINT": capture.url, "LANGSMITH_API_KEY": "x"}
    with _serve(tmp_path, database, model, **keys) as server:
        async with signed_in(_address(server)) as ada:
            await _rate(ada, await ada.send("I keep bees."), "up")
        server.stop()
    with _serve(tmp_path, database, model, **_tracing(capture)) as server:
        async with signed_in(_address(server)) as ada:
            await _rate(ada, await ada.send("I keep bees.", temporary=True), "up")
            await _rate(ada, last := await ada.send("I play the violin."), "up")
            await capture.wait_for_feedback(lambda known: len(known) == 1)
    [feedback] = capture.feedback
    assert feedback["run_id"] == last.data("message.completed")["message_id"]


async def test_a_langsmith_that_never_answers_delays_no_rating(
    tmp_path: Path, database: str, model: ScriptedOpenAI, capture: LangSmithCapture
) -> None:
    with _serve(tmp_path, database, model, **_tracing(capture)) as server:
        async with signed_in(_address(server)) as ada:
            reply = await ada.send("I play the violin.")
            capture.hold()
            await _rate(ada, reply, "up")
            capture.block_until_held()
            async with asyncio.timeout(MAX_STOP_SECONDS):
                for rating in ("down", "up", None) * 10:
                    await _rate(ada, reply, rating)
            started = time.monotonic()
            server.stop()
            assert time.monotonic() - started < MAX_STOP_SECONDS


def _tracing(capture: LangSmithCapture) -> dict[str, str]:
    return {
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_ENDPOINT": capture.url,
        "LANGSMITH_API_KEY": "x",
        "LANGSMITH_PROJECT": "test",
    }


def _thread(run: dict[str, object]) -> object:
    extra = run.get("extra")
    metadata = extra.get("metadata", {}) if isinstance(extra, dict) else {}
    return metadata.get("thread_id")
