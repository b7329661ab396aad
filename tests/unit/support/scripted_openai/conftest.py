"""Fixtures: a scripted server with OpenAI and LangChain clients."""

from collections.abc import AsyncIterator, Iterator

import openai
import pytest
from langchain_openai import ChatOpenAI
from openai import OpenAI
from openai.types.chat import ChatCompletionMessageParam
from pydantic import SecretStr

from support.scripted_openai import ScriptedOpenAI


@pytest.fixture(scope="module")
def module_server() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI() as server:
        yield server


@pytest.fixture
def server(module_server: ScriptedOpenAI) -> Iterator[ScriptedOpenAI]:
    yield module_server
    module_server.reset()


@pytest.fixture
def client(server: ScriptedOpenAI) -> Iterator[OpenAI]:
    with OpenAI(base_url=server.base_url, api_key="x") as client:
        yield client


@pytest.fixture(params=["chat", "responses"])
async def model(server: ScriptedOpenAI, request: pytest.FixtureRequest) -> AsyncIterator[ChatOpenAI]:
    async with openai.DefaultAsyncHttpxClient() as http:
        yield ChatOpenAI(
            model="scripted",
            base_url=server.base_url,
            api_key=SecretStr("x"),
            use_responses_api=request.param == "responses",
            http_async_client=http,
            stream_usage=True,
        )


def user_messages(text: str) -> list[ChatCompletionMessageParam]:
    return [{"role": "user", "content": text}]
