"""The chat models, as their servers see them."""

import openai
import pytest

from agent import AgentSettings
from agent.models.chat import make_chat_models
from support.scripted_openai import ScriptedOpenAI


async def test_openai_itself_is_asked_to_keep_nothing(model: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = AgentSettings(_env_file=None, openai_api_key="x")
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)  # what the client itself falls back to, in OpenAI's place
    assert await _asked(settings, model, "/v1/responses") is False


async def test_a_server_of_ones_own_is_not_asked_what_it_may_not_know(model: ScriptedOpenAI) -> None:
    settings = AgentSettings(_env_file=None, openai_api_key="x", openai_base_url=model.base_url)
    assert await _asked(settings, model, "/v1/chat/completions") is None


async def _asked(settings: AgentSettings, model: ScriptedOpenAI, path: str) -> object:
    """Return what a server is told about keeping the answer."""
    async with openai.DefaultAsyncHttpxClient() as http:
        await make_chat_models(settings, http).extraction.ainvoke("Hello")
    return (await model.wait_for_request(path)).body.get("store")
