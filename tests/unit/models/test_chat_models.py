"""The requests of the chat models."""

import openai
import pytest

from agent import AgentSettings
from agent.models.chat import make_chat_models
from support.scripted_openai import ScriptedOpenAI


async def test_openai_is_asked_not_to_store_responses(model: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = AgentSettings(_env_file=None, openai_api_key="x")
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)  # the client's own default address
    assert await _requested_store(settings, model, "/v1/responses") is False


async def test_other_servers_do_not_receive_the_store_parameter(model: ScriptedOpenAI) -> None:
    settings = AgentSettings(_env_file=None, openai_api_key="x", openai_base_url=model.base_url)
    assert await _requested_store(settings, model, "/v1/chat/completions") is None


async def _requested_store(settings: AgentSettings, model: ScriptedOpenAI, path: str) -> object:
    """The `store` parameter that the server receives."""
    async with openai.DefaultAsyncHttpxClient() as http:
        await make_chat_models(settings, http).extraction.ainvoke("Hello")
    return (await model.wait_for_request(path)).body.get("store")
