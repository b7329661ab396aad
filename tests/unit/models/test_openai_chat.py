"""Streams of both APIs of OpenAI are complete and in time, or fail; a call is repeated once."""

from collections.abc import AsyncIterator

import openai
import pytest

from agent import AgentSettings
from agent.errors import AnswerCutOffError, ModelUnavailableError
from agent.models.answer_metadata import finish_reason
from agent.models.chat import make_chat_models
from agent.models.failures import ModelServerError
from agent.models.openai_chat import OpenAIChat
from support.scripted_openai import ScriptedOpenAI

CHAT, RESPONSES = "/v1/chat/completions", "/v1/responses"


@pytest.fixture(params=[CHAT, RESPONSES])
async def chat(
    request: pytest.FixtureRequest, model: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[OpenAIChat]:
    """A model that uses one of the APIs."""
    model.script.reply = lambda _: "one two three"
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)  # the client's own default address
    address = model.base_url if request.param == CHAT else None
    settings = AgentSettings(
        _env_file=None,
        openai_api_key="x",
        openai_base_url=address,
        first_token_seconds=0.5,
        token_seconds=0.5,
        answer_max_tokens=100,
    )
    async with openai.DefaultAsyncHttpxClient(follow_redirects=False) as http:
        chat = make_chat_models(settings, http).extraction
        assert isinstance(chat, OpenAIChat)
        yield chat


async def _read(chat: OpenAIChat) -> tuple[str, list[str | None]]:
    """Stream an answer; return its text and the finish reasons of its chunks."""
    chunks = [chunk async for chunk in chat.astream("Count.", max_tokens=chat.max_answer_tokens)]
    reasons = [finish_reason(chunk.response_metadata) for chunk in chunks]
    return "".join(chunk.text for chunk in chunks), [reason for reason in reasons if reason]


async def test_a_complete_stream_ends_with_one_finish_reason(chat: OpenAIChat) -> None:
    assert await _read(chat) == ("one two three", ["stop"])


@pytest.mark.parametrize("reason", ["length", "content_filter"])
async def test_a_stream_says_why_the_server_cut_it_off(chat: OpenAIChat, model: ScriptedOpenAI, reason: str) -> None:
    model.script.finish_reason = reason
    assert await _read(chat) == ("one two three", [reason])


async def test_a_stream_without_finish_reason_is_an_error(chat: OpenAIChat, model: ScriptedOpenAI) -> None:
    model.script.finish_reason = ""
    with pytest.raises(AnswerCutOffError):
        await _read(chat)
    assert len(model.requests) == 1


async def test_a_server_that_sends_nothing_is_asked_twice(chat: OpenAIChat, model: ScriptedOpenAI) -> None:
    with model.script.chat_gate.closed(), pytest.raises(ModelUnavailableError):
        await _read(chat)
    assert len(model.requests) == 2


async def test_a_server_that_stalls_is_not_asked_again(chat: OpenAIChat, model: ScriptedOpenAI) -> None:
    model.script.hold_after_tokens = 1
    with model.script.chat_gate.closed(), pytest.raises(ModelUnavailableError):
        await _read(chat)
    assert len(model.requests) == 1


async def test_a_stream_ends_at_the_maximum_length(chat: OpenAIChat, model: ScriptedOpenAI) -> None:
    model.script.reply = lambda _: "word " * 500
    text, reasons = await _read(chat)
    assert (len(text.split()) <= 100, reasons) == (True, ["length"])
    [request] = model.requests
    assert request.body["max_tokens" if request.path == CHAT else "max_output_tokens"] == 100


@pytest.mark.parametrize(("status", "requests"), [(500, 2), (429, 2), (401, 1), (404, 1), (400, 1)])
async def test_a_call_is_repeated_if_it_may_succeed_then(
    chat: OpenAIChat, model: ScriptedOpenAI, status: int, requests: int
) -> None:
    model.script.chat_status = status
    with pytest.raises(ModelServerError) as streamed:
        await _read(chat)
    with pytest.raises(ModelServerError) as complete:
        await chat.ainvoke("Count.")
    assert streamed.value.status_code == complete.value.status_code == status
    assert len(model.requests) == 2 * requests
