"""A model that fails, stalls or stops early: what users and operators learn, and what leaves the machine."""

import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from conftest import make_settings, model_settings
from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.example_model import extract
from support.gateway import RunningGateway
from support.scripted_openai import Message, ScriptedOpenAI

CHAT = "/v1/chat/completions"
KEY = "sk-proj-a1B2c3D4e5F6g7H8i9J0"


@asynccontextmanager
async def _client_with(database: str, model: ScriptedOpenAI, **settings: object) -> AsyncIterator[ApiClient]:
    """A client of a gateway with these settings."""
    with RunningGateway(make_settings(database, **model_settings(model, **settings))) as gateway:
        async with signed_in(gateway.url) as client:
            yield client


@pytest.fixture
def elsewhere() -> Iterator[ScriptedOpenAI]:
    """Another server, which must not receive anything."""
    with ScriptedOpenAI() as server:
        yield server


def _problem(reply: StreamedReply) -> dict[str, Any]:
    assert reply.names[-1] == "run.failed"
    return dict(reply.data("run.failed")["problem"])


async def _answer(client: ApiClient, thread: str) -> dict[str, Any]:
    """The stored answer of a thread with one message."""
    [_, answer] = (await client.http.get(f"/threads/{thread}/messages")).json()["items"]
    return dict(answer)


async def test_an_answer_whose_stream_ends_early_is_never_stored_as_complete(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    thread, message = new_thread(), new_thread()
    model.script.reply = lambda _: "one two three"
    model.script.finish_reason = ""
    for _ in range(2):  # a retry fails as well
        reply = await client.send("Count.", thread=thread, id=message)
        assert _problem(reply)["code"] == "answer_cut_off"
        answer = await _answer(client, thread)
        assert (answer["text"], answer["status"]) == ("one two three", "failed")
    model.script.finish_reason = "stop"
    assert (await client.send("Count.", thread=thread, id=message)).names[-1] == "run.finished"
    assert "status" not in await _answer(client, thread)


@pytest.mark.parametrize("reason", ["length", "content_filter"])
async def test_an_answer_that_the_model_cuts_off_says_so_also_when_it_is_read_again(
    client: ApiClient, model: ScriptedOpenAI, reason: str
) -> None:
    thread, message = new_thread(), new_thread()
    model.script.reply = lambda _: "one two"
    model.script.finish_reason = reason
    reply = await client.send("Count.", thread=thread, id=message)
    assert reply.data("message.completed")["finish_reason"] == reason
    again = await client.send("Count.", thread=thread, id=message)
    assert again.data("message.completed") == reply.data("message.completed")
    assert (await _answer(client, thread))["finish_reason"] == reason


async def test_an_answer_without_text_still_says_that_the_filter_stopped_it(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    model.script.reply = lambda _: ""
    model.script.finish_reason = "content_filter"
    reply = await client.send("Count.")
    assert reply.data("message.completed")["finish_reason"] == "content_filter"


async def test_a_model_that_sends_nothing_is_asked_once_more_and_then_frees_the_thread(
    database: str, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    async with _client_with(database, model, first_token_seconds=0.3) as client:
        with model.script.chat_gate.closed():
            reply = await client.send("Hello.", thread=thread)
        assert _problem(reply)["code"] == "model_unavailable"
        assert model.count(CHAT) == 2
        assert (await client.send("Hello again.", thread=thread)).names[-1] == "run.finished"


async def test_a_first_token_that_comes_with_the_second_request_is_the_answer(
    database: str, model: ScriptedOpenAI
) -> None:
    async with _client_with(database, model, first_token_seconds=1.0) as client:
        model.script.chat_gate.close()
        stream = client.stream(reply := StreamedReply(), "Hello.")
        assert await anext(stream) == "run.started"
        await model.wait_for_request(CHAT, 2)
        model.script.chat_gate.open()
        async for _ in stream:
            pass
    assert reply.names[-1] == "run.finished"
    assert reply.text == reply.data("message.completed")["text"] != ""


async def test_a_stream_that_stalls_fails_without_a_second_answer(database: str, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    model.script.reply = lambda _: "one two three"
    model.script.hold_after_tokens = 2
    async with _client_with(database, model, token_seconds=0.3) as client:
        with model.script.chat_gate.closed():
            reply = await client.send("Count.", thread=thread)
        assert _problem(reply)["code"] == "model_unavailable"
        assert (await _answer(client, thread))["text"] == reply.text == "one two "
    assert model.count(CHAT) == 1


async def test_an_answer_ends_at_its_maximum_length_whatever_the_server_does(
    database: str, model: ScriptedOpenAI
) -> None:
    model.script.reply = lambda _: "word " * 500
    async with _client_with(database, model, answer_max_tokens=50) as client:
        reply = await client.send("Write a novel.")
    completed = reply.data("message.completed")
    assert completed["finish_reason"] == "length"
    assert 10 <= len(completed["text"].split()) <= 50
    assert (await model.wait_for_request(CHAT)).body["max_tokens"] == 50


@pytest.mark.parametrize(
    "cause",
    [
        (401, "Incorrect API key provided.", "model_key_refused", 1),
        (403, "Forbidden.", "model_key_refused", 1),
        (404, "The model does not exist.", "model_not_found", 1),
        (429, "Rate limit reached.", "model_rate_limited", 2),
        (413, "Payload too large.", "model_input_too_long", 1),
        (503, "Overloaded.", "model_unavailable", 2),
    ],
)
async def test_the_cause_of_an_outage_is_reported_to_users_and_logged_in_one_line_without_their_words(
    client: ApiClient, model: ScriptedOpenAI, caplog: pytest.LogCaptureFixture, cause: tuple[int, str, str, int]
) -> None:
    status, message, code, requests = cause
    model.script.chat_status = status
    model.script.error_message = f"{message} Key {KEY}: I am allergic to penicillin"
    for n in range(2):
        problem = _problem(await client.send("I am allergic to penicillin."))
        assert problem["code"] == code
        assert "penicillin" not in str(problem)
        assert model.count(CHAT) == requests * (n + 1)
    lines = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(lines) == (2 if code == "model_input_too_long" else 1)  # that is no outage: the next request may fit
    assert f"({code}: HTTP {status})" in lines[0].getMessage()
    assert not any(word in caplog.text for word in ("penicillin", KEY, "Traceback"))


async def test_the_end_of_an_outage_is_logged(
    client: ApiClient, model: ScriptedOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    model.script.chat_status = 401
    await client.send("One.")
    await client.send("Two.")
    model.script.chat_status = 200
    await client.send("Three.")
    assert [record.getMessage() for record in caplog.records if record.name == "agent.models.failures"] == [
        "model scripted fails (model_key_refused: HTTP 401)",
        "model scripted answers again, after 2 failed calls",
    ]


async def test_a_rate_limit_that_lasts_is_reported_at_once(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.chat_status = 429
    model.script.retry_after_seconds = 60
    assert _problem(await client.send("Hello."))["code"] == "model_rate_limited"
    assert model.count(CHAT) == 1


async def test_nothing_follows_a_redirect_to_another_host(
    client: ApiClient, model: ScriptedOpenAI, elsewhere: ScriptedOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    model.script.redirect_to = elsewhere.url
    assert _problem(await client.send("I play the violin."))["code"] == "model_unavailable"
    assert (await client.http.post("/memories/flush")).status_code == 503
    assert {request.path for request in model.requests} == {CHAT, "/v1/embeddings"}
    assert elsewhere.requests == []
    assert "HTTP 307; redirects are not followed" in caplog.text


@pytest.mark.parametrize("broken", ["\ud83d", "\0"])
async def test_a_character_that_cannot_be_stored_does_not_cost_other_facts_or_the_answer(
    client: ApiClient, model: ScriptedOpenAI, broken: str
) -> None:
    def structured(messages: list[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        output = dict(extract(messages, schema))
        first, *others = output["memories"]
        return {**output, "memories": [{**first, "text": first["text"] + broken}, *others]}

    thread = new_thread()
    model.script.structured = structured
    model.script.reply = lambda _: f"I see{broken}."
    for text in ("I play the violin.", "I live in Oslo."):
        reply = await client.send(text, thread=thread)
        assert reply.names[-1] == "run.finished"
        assert reply.data("message.completed")["text"] == "I see\N{REPLACEMENT CHARACTER}."
    formed = await client.flush()
    assert formed["added"] + formed["episodes"] >= 2
    stored = str([memory["text"] for memory in await client.memories()])
    assert "violin" in stored
    assert "Oslo" in stored


async def test_a_failing_formation_leaves_no_words_of_the_user_in_the_log(
    client: ApiClient, model: ScriptedOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    await client.send("I am allergic to penicillin.")
    model.script.error_message = f"Key {KEY}: I am allergic to penicillin"
    for status in (401, 400, 503):
        model.script.structured_status = model.script.chat_status = status
        assert (await client.http.post("/memories/flush")).status_code == 503
    assert "model_key_refused: HTTP 401" in caplog.text
    assert not any(word in caplog.text for word in ("penicillin", KEY, "Traceback"))
