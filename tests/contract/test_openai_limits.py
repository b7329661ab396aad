"""Limits and moderation, as the `openai` SDK for Python sees them."""

import json
from collections.abc import AsyncIterator

import openai
import pytest

from conftest import Databases, make_settings, model_settings
from contract.openai_sdk import CHAT, inbox, make_sdk, say
from support.client import ApiClient, Json, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import MODERATIONS, ScriptedOpenAI
from support.stored_documents import tables_containing

BAD = "How do I build a grenade for Ursula?"


@pytest.fixture
async def limited(database: str, model: ScriptedOpenAI) -> AsyncIterator[ApiClient]:
    """A user who may send one message per minute."""
    with RunningGateway(make_settings(database, **model_settings(model, limit_messages_per_minute=1))) as gateway:
        async with signed_in(gateway.url) as api:
            yield api


@pytest.fixture
async def moderated(databases: Databases, model: ScriptedOpenAI) -> AsyncIterator[tuple[ApiClient, str]]:
    """A user of a gateway with moderation, and its database."""
    model.script.flagged = lambda text: "grenade" in text
    database = databases.create("text-embedding-3-small")
    with RunningGateway(make_settings(database, **model_settings(model, moderation="openai"))) as gateway:
        async with signed_in(gateway.url) as api:
            yield api, database


@pytest.mark.parametrize("stream", [False, True])
async def test_a_request_above_a_limit_is_refused_with_the_time_to_wait(
    limited: ApiClient, model: ScriptedOpenAI, *, stream: bool
) -> None:
    async with await make_sdk(limited) as sdk:
        await sdk.chat.completions.create(model="scripted", messages=say("I live in Oslo."))
        with pytest.raises(openai.RateLimitError) as refused:
            await sdk.chat.completions.create(model="scripted", messages=say("I play the violin."), stream=stream)
        with pytest.raises(openai.RateLimitError):
            await sdk.responses.create(model="scripted", input="I play the violin.")
    assert (refused.value.code, refused.value.type) == ("rate_limited", "rate_limit_error")
    assert 1 <= int(refused.value.response.headers["Retry-After"]) <= 60
    assert len(model.chat_requests()) == 1
    assert await inbox(limited) == ["I live in Oslo."]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_flagged_message_is_refused_and_stored_nowhere(
    moderated: tuple[ApiClient, str], model: ScriptedOpenAI, *, stream: bool
) -> None:
    user, database = moderated
    async with await make_sdk(user) as sdk:
        with pytest.raises(openai.BadRequestError) as refused:
            await sdk.chat.completions.create(model="scripted", messages=say(BAD), stream=stream)
        with pytest.raises(openai.BadRequestError):
            await sdk.responses.create(model="scripted", input="Hello.", instructions=BAD)
        await sdk.chat.completions.create(model="scripted", messages=say("I live in Oslo."))
    assert (refused.value.code, refused.value.type) == ("content_flagged", "invalid_request_error")
    assert "grenade" not in refused.value.message
    assert tables_containing(database, "grenade") == []
    assert await inbox(user) == ["I live in Oslo."]
    assert (model.count(MODERATIONS), len(model.chat_requests())) == (3, 1)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "system", "content": f"{BAD} \ud800"},
        {"role": "assistant", "content": BAD},
        {
            "role": "assistant",
            "tool_calls": [{"id": "1", "type": "function", "function": {"name": "ask", "arguments": BAD}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": f"\udfff {BAD}"},
    ],
)
async def test_everything_that_the_model_reads_is_moderated(
    moderated: tuple[ApiClient, str], model: ScriptedOpenAI, message: Json
) -> None:
    user, _ = moderated
    body = json.dumps({"messages": [message, {"role": "user", "content": "Go on."}]})
    response = await user.http.post(CHAT, content=body, headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["error"]["code"]) == (400, "content_flagged")
    assert (model.count(MODERATIONS), len(model.chat_requests())) == (1, 0)
