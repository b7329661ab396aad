"""Titles of threads: drafts from the first words, replaced by titles from the model."""

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
MESSAGE = "Can you tell me who sails out of the harbour of Oslo in the early morning?"
DRAFT = "Can you tell me who sails out of the harbour of Oslo in the…"


def is_title_request(messages: list[Message]) -> bool:
    return "title" in str(messages[0]["content"]) and messages[0]["role"] == "system"


def title_script(title: str) -> Any:  # noqa: ANN401 - as declared by the script
    return lambda messages: title if is_title_request(messages) else "Hello."


@pytest.fixture
def titling_gateway(database: str, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway that generates titles."""
    with RunningGateway(make_settings(database, **model_settings(model, model_titles=True))) as running:
        yield running


@pytest.fixture
async def titles(database: str, model: ScriptedOpenAI) -> AsyncIterator[Titles]:
    """The title generator without a gateway."""
    settings = make_settings(database, **model_settings(model))
    async with openai.DefaultAsyncHttpxClient() as http, open_pool(database, size=2, name="titles") as pool:
        yield Titles(ScopedPool(pool), make_chat_models(settings, http).extraction)


async def _title(client: ApiClient, thread: str) -> str:
    return str((await client.http.get(f"/threads/{thread}")).json()["title"])


async def _user_id(client: ApiClient) -> UserId:
    return UserId((await client.http.get("/me")).json()["user_id"])


async def _start_thread(client: ApiClient) -> ThreadId:
    thread = new_thread()
    await client.send(MESSAGE, thread=thread)
    return ThreadId(thread)


async def test_a_thread_gets_a_draft_title_first_and_a_generated_one_later(
    titling_gateway: RunningGateway, model: ScriptedOpenAI
) -> None:
    model.script.reply = title_script("Sailors of Oslo")
    model.script.hold_after_tokens = 1  # the answer has one token only
    thread = new_thread()
    async with signed_in(titling_gateway.url) as client:
        with model.script.chat_gate.closed():
            reply = await client.send(MESSAGE, thread=thread)
            assert reply.names[-1] == "run.finished"
            await model.wait_for_request(CHAT, 2)  # the model's title is held
            assert await _title(client, thread) == DRAFT
            assert (await client.send("And in the evening?", thread=thread)).text == "Hello."
        async with asyncio.timeout(5):
            while await _title(client, thread) != "Sailors of Oslo":
                pass
        await client.send("And at night?", thread=thread)
    assert sum(is_title_request(request.messages) for request in model.chat_requests()) == 1


async def test_the_prompt_contains_only_the_message_and_the_answer(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    user, thread = await _user_id(client), await _start_thread(client)
    model.script.reply = title_script("Sailors of Oslo")
    await titles.improve(user, thread, MESSAGE, "Ferries do.")
    system, request = model.chat_requests()[-1].messages
    assert system["role"] == "system"
    assert request["content"] == f"user: {MESSAGE}\n\nassistant: Ferries do."
    assert await _title(client, thread) == "Sailors of Oslo"


async def test_a_title_that_the_user_sets_during_generation_is_kept(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    user, thread = await _user_id(client), await _start_thread(client)
    model.script.reply = title_script("Sailors of Oslo")
    with model.script.chat_gate.closed():
        improving = asyncio.create_task(titles.improve(user, thread, MESSAGE, "Hello."))
        await model.wait_for_request(CHAT, 2)
        await client.http.patch(f"/threads/{thread}", json={"title": "Mine"})
    await improving
    assert await _title(client, thread) == "Mine"


async def test_a_title_set_by_the_user_is_never_replaced(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    user, renamed = await _user_id(client), await _start_thread(client)
    await client.http.patch(f"/threads/{renamed}", json={"title": "Mine"})
    created = ThreadId((await client.http.post("/threads", json={"title": "Named"})).json()["thread_id"])
    await client.send(MESSAGE, thread=created)
    request_count = len(model.chat_requests())
    for thread in (renamed, created):
        await titles.improve(user, thread, MESSAGE, "Hello.")
    assert (await _title(client, renamed), await _title(client, created)) == ("Mine", "Named")
    assert len(model.chat_requests()) == request_count


async def test_concurrent_requests_generate_one_title(client: ApiClient, titles: Titles, model: ScriptedOpenAI) -> None:
    user, thread = await _user_id(client), await _start_thread(client)
    request_count = len(model.chat_requests())
    model.script.reply = title_script("Sailors of Oslo")
    await asyncio.gather(*(titles.improve(user, thread, MESSAGE, "Hello.") for _ in range(5)))
    assert len(model.chat_requests()) == request_count + 1


@pytest.mark.parametrize("title", ["", "** **", "<think>Hm.", "Key sk-proj-" + "a1B2" * 12])
async def test_an_unusable_title_leaves_the_draft(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI, title: str
) -> None:
    user, thread = await _user_id(client), await _start_thread(client)
    model.script.reply = title_script(title)
    await titles.improve(user, thread, MESSAGE, "Hello.")
    assert await _title(client, thread) == DRAFT


async def test_a_failing_model_leaves_the_draft(client: ApiClient, titles: Titles, model: ScriptedOpenAI) -> None:
    user, thread = await _user_id(client), await _start_thread(client)
    model.script.chat_status = 400
    await titles.improve(user, thread, MESSAGE, "Hello.")
    assert await _title(client, thread) == DRAFT


async def test_another_users_thread_gets_no_title(
    gateway: RunningGateway, client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    thread = await _start_thread(client)
    request_count = len(model.chat_requests())
    async with signed_in(gateway.url) as other:
        await titles.improve(await _user_id(other), thread, MESSAGE, "Hello.")
    assert (await _title(client, thread), len(model.chat_requests())) == (DRAFT, request_count)


async def test_a_message_with_credentials_gets_no_title_and_no_model_call(
    client: ApiClient, titles: Titles, model: ScriptedOpenAI
) -> None:
    thread = ThreadId(new_thread())
    message = "My key is sk-proj-" + "a1B2" * 12
    await client.send(message, thread=thread)
    request_count = len(model.chat_requests())
    await titles.improve(await _user_id(client), thread, message, "Hello.")
    assert (await _title(client, thread), len(model.chat_requests())) == ("", request_count)
    await client.send("Who sails at night?", thread=thread)
    assert await _title(client, thread) == "Who sails at night?"


async def test_a_temporary_thread_gets_no_generated_title(
    titling_gateway: RunningGateway, model: ScriptedOpenAI
) -> None:
    async with signed_in(titling_gateway.url) as client:
        await client.send(MESSAGE, temporary=True)
        permanent = new_thread()
        model.script.reply = title_script("Sailors of Oslo")
        await client.send(MESSAGE, thread=permanent)
        async with asyncio.timeout(5):
            while await _title(client, permanent) != "Sailors of Oslo":
                pass
    assert sum(is_title_request(request.messages) for request in model.chat_requests()) == 1


@pytest.mark.parametrize(
    ("output", "title"),
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
        ("words " * 12, "words " * 9 + "words…"),
        ("<think>\nSailors?\n</think>\n\nSailors of Oslo", "Sailors of Oslo"),
        ("The user asks about sailors.</think>Sailors of Oslo", "Sailors of Oslo"),
        ("<think>The user asks about sailors", ""),
        ("```\nSailors of Oslo\n```", "Sailors of Oslo"),
        ('```json\n{"title": "Sailors of Oslo"}\n```', "Sailors of Oslo"),
        ('{"title": 5}', ""),
        ('{"title": "Sail', ""),
        ("Okay, let me think.\n\n**Title:** Sailors of Oslo\n\nIt is short.", "Sailors of Oslo"),
        ("Here is a title:\nSailors of Oslo", "Sailors of Oslo"),
        ("Who sails in Oslo?", "Who sails in Oslo?"),
        ("Okay, the user asks about sailors.\nI will write a title in English.", ""),
        ("Okay, the user asks who sails out of the harbour of Oslo, so I write", ""),
        ("\u6807\u9898\uff1a\u6c34\u624b", "\u6c34\u624b"),
    ],
)
def test_a_title_is_one_short_line_of_plain_text(output: str, title: str) -> None:
    assert clean_title(output) == title
    assert len(title) <= TITLE_CHARS


def test_a_draft_title_consists_of_a_few_whole_words() -> None:
    assert first_words("  I live\nin  Oslo.\x00 ") == "I live in Oslo."
    assert first_words(MESSAGE) == DRAFT
    assert len(first_words("x" * 100)) == TITLE_CHARS
