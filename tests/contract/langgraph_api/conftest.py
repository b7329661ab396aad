"""A gateway with a scripted model, shared by the tests of a module, and clients of its LangGraph API."""

from collections.abc import AsyncIterator, Iterator

import pytest
from langgraph_sdk.client import LangGraphClient

from conftest import Databases, make_settings, model_settings
from support.client import ApiClient, signed_in
from support.gateway import RunningGateway
from support.langgraph_client import langgraph_client
from support.scripted_openai import ScriptedOpenAI

WORDS = "one two three four"
"""What the scripted model answers."""


@pytest.fixture(scope="module")
def server(databases: Databases) -> Iterator[tuple[RunningGateway, ScriptedOpenAI]]:
    with ScriptedOpenAI() as model:
        settings = make_settings(databases.create("text-embedding-3-small"), **model_settings(model))
        with RunningGateway(settings) as gateway:
            yield gateway, model


@pytest.fixture
def scripted(server: tuple[RunningGateway, ScriptedOpenAI]) -> ScriptedOpenAI:
    server[1].reset()
    server[1].script.reply = lambda _: WORDS
    return server[1]


@pytest.fixture
def api_url(server: tuple[RunningGateway, ScriptedOpenAI]) -> str:
    return f"{server[0].url}/langgraph"


@pytest.fixture
async def user(server: tuple[RunningGateway, ScriptedOpenAI]) -> AsyncIterator[ApiClient]:
    async with signed_in(server[0].url) as client:
        yield client


@pytest.fixture
async def sdk(api_url: str, user: ApiClient, scripted: ScriptedOpenAI) -> AsyncIterator[LangGraphClient]:
    assert scripted
    async with langgraph_client(api_url, user) as client:
        yield client
