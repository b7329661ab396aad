"""Titles: the first words at once, a better one from the model afterwards, and never in an answer's way."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import openai
import pytest

from agent.conversations.titles import TITLE_CHARS, Titles, clean_title, first_words
from agent.database import open_pool
from agent.database.row_security import ScopedPool
from agent.models.chat import make_chat_models
from agent.types import ThreadId, UserId
from conftest import make_settings, model_settings
from support.client import ApiClient, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import Message, ScriptedOpenAI

CHAT = "/v1/chat/completions"
SAID = "Can you tell me who sails out of the harbour of Oslo in the early morning?"
FIRST_WORDS = "Can you tell me who sails out of the harbour of Oslo in the…"


def asks_for_a_title(messages: list[Message]) -> bool:
    return "title" in str(messages[0]["content"]) and messages[0]["role"] == "system"


def answering(title: str) -> Any:  # noqa: ANN401 - what a script replies with
    return lambda messages: title if asks_for_a_title(messages) else "Hello."


@pytest.fixture
def titling(database: str, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway whose model gives titles."""
    with RunningGateway(make_settings(database, **model_settings(model, model_titles=True))) as running:
        yield running


@pytest.fixture
async def titles(database: str, model: ScriptedOpenAI) -> AsyncIterator[Titles]:
    """What gives titles, by itself."""
    settings = make_settings(database, **model_settings(model))
    async with openai.DefaultAsyncHttpxClient() as http, open_pool(database, size=2, name="titles") as pool:
        yield Titles(ScopedPool(pool), make_chat_models(settings, http).extraction)


async def _title(client: ApiClient, thread: str) -> str:
    return str((await client.http.get(f"/threads/{thread}")).json()["title"])


async def _me(client: ApiClient) -> UserId:
    return UserId((await client.http.get("/me")).json()["user_id"])


async def _begun(client: ApiClient) -> ThreadId:
    thread = new_thread()
    await client.send(SAID, thread=thread)
    return ThreadId(thread)


async def test_a_thread_gets_its_first_words_at_once_and_a_better_title_afterwards(
    titling: RunningGateway, model: ScriptedOpenAI
) -> None:
    model.script.reply = answering("Sailors of Oslo")
    model.script.hold_after_tokens = 1  # the answer has one token only
    thread = new_thread()
    async with signed_in(titling.url) as client:
        with model.script.chat_gate.closed():
            reply = await client.send(SAID, thread=thread)
            assert reply.names[-1] == "run.finished"
            await model.wait_for_request(CHAT, 2)  # the model is asked for a title; what it says is held
            assert await _title(client, thread) == FIRST_WORDS
            assert (await client.send("And in the evening?", thread=thread)).text == "Hello."
        async with asyncio.timeout(5):
            while await _title(client, thread) != "Sailors of Oslo":
                pass
        await client.send("And at night?", thread=thread)
    assert sum(asks_for_a_title(request.messages) for request in model.chat_requests()) == 1


async def test_a_title_is_of_what_was_said_and_answered_alone(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    user, thread = await _me(client), await _begun(client)
    model.script.reply = answering("Sailors of Oslo")
    await titles.improve(user, thread, SAID, "Ferries do.")
    system, given = model.chat_requests()[-1].messages
    assert system["role"] == "system"
    assert given["content"] == f"user: {SAID}\n\nassistant: Ferries do."
    assert await _title(client, thread) == "Sailors of Oslo"


async def test_a_title_that_the_user_gives_meanwhile_stays(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    user, thread = await _me(client), await _begun(client)
    model.script.reply = answering("Sailors of Oslo")
    with model.script.chat_gate.closed():
        improving = asyncio.create_task(titles.improve(user, thread, SAID, "Hello."))
        await model.wait_for_request(CHAT, 2)
        await client.http.patch(f"/threads/{thread}", json={"title": "Mine"})
    await improving
    assert await _title(client, thread) == "Mine"


async def test_a_title_that_the_user_has_given_is_never_replaced(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    user, renamed = await _me(client), await _begun(client)
    await client.http.patch(f"/threads/{renamed}", json={"title": "Mine"})
    named = ThreadId((await client.http.post("/threads", json={"title": "Named"})).json()["thread_id"])
    await client.send(SAID, thread=named)
    asked = len(model.chat_requests())
    for thread in (renamed, named):
        await titles.improve(user, thread, SAID, "Hello.")
    assert (await _title(client, renamed), await _title(client, named)) == ("Mine", "Named")
    assert len(model.chat_requests()) == asked


async def test_the_model_is_asked_once_a_thread_whoever_asks(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    user, thread = await _me(client), await _begun(client)
    asked = len(model.chat_requests())
    model.script.reply = answering("Sailors of Oslo")
    await asyncio.gather(*(titles.improve(user, thread, SAID, "Hello.") for _ in range(5)))
    assert len(model.chat_requests()) == asked + 1


@pytest.mark.parametrize("title", ["", "** **", "Key sk-proj-" + "a1B2" * 12])
async def test_an_unusable_title_leaves_the_first_words(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI, title: str
) -> None:
    user, thread = await _me(client), await _begun(client)
    model.script.reply = answering(title)
    await titles.improve(user, thread, SAID, "Hello.")
    assert await _title(client, thread) == FIRST_WORDS


async def test_a_model_that_fails_leaves_the_first_words(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    user, thread = await _me(client), await _begun(client)
    model.script.chat_status = 400
    await titles.improve(user, thread, SAID, "Hello.")
    assert await _title(client, thread) == FIRST_WORDS


async def test_nobody_gives_anothers_thread_a_title(
    gateway: RunningGateway, client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    thread = await _begun(client)
    asked = len(model.chat_requests())
    async with signed_in(gateway.url) as other:
        await titles.improve(await _me(other), thread, SAID, "Hello.")
    assert (await _title(client, thread), len(model.chat_requests())) == (FIRST_WORDS, asked)


async def test_a_secret_is_no_title_and_no_model_is_asked_about_it(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    thread = ThreadId(new_thread())
    said = "My key is sk-proj-" + "a1B2" * 12
    await client.send(said, thread=thread)
    asked = len(model.chat_requests())
    await titles.improve(await _me(client), thread, said, "Hello.")
    assert (await _title(client, thread), len(model.chat_requests())) == ("", asked)
    await client.send("Who sails at night?", thread=thread)
    assert await _title(client, thread) == "Who sails at night?"


async def test_a_temporary_thread_asks_no_model_for_a_title(titling: RunningGateway, model: ScriptedOpenAI) -> None:
    async with signed_in(titling.url) as client:
        await client.send(SAID, temporary=True)
        lasting = new_thread()
        model.script.reply = answering("Sailors of Oslo")
        await client.send(SAID, thread=lasting)
        async with asyncio.timeout(5):
            while await _title(client, lasting) != "Sailors of Oslo":
                pass
    assert sum(asks_for_a_title(request.messages) for request in model.chat_requests()) == 1


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ('"Sailors of Oslo."', "Sailors of Oslo"),
        ("\n\n# **Sailors** of `Oslo`\n\nHere is why.", "Sailors of Oslo"),
        ("Title: “Sailors of Oslo”", "Sailors of Oslo"),
        ("- [Sailors](https://example.com/x) of _Oslo_", "Sailors of Oslo"),
        ("![Sailors](https://example.com/x.png)", "Sailors"),
        ("1. Sailors\tof\x1b \u202eOslo\u200b", "Sailors of Oslo"),
        ("C# and a_b * c", "C# and a_b * c"),
        ("«Les marins d'Oslo»", "Les marins d'Oslo"),
        ("   ", ""),
        ("x" * 80, "x" * 59 + "…"),
        ("word " * 20, "word " * 11 + "word…"),
    ],
)
def test_a_title_is_one_short_line_of_plain_text(written: str, title: str) -> None:
    assert clean_title(written) == title
    assert len(title) <= TITLE_CHARS


def test_first_words_are_whole_and_few() -> None:
    assert first_words("  I live\nin  Oslo.\x00 ") == "I live in Oslo."
    assert first_words(SAID) == FIRST_WORDS
    assert len(first_words("x" * 100)) == TITLE_CHARS
