"""A gateway in front of `langgraph dev`, which answers with the scripted model of the module."""

import logging
from collections.abc import AsyncIterator, Iterator, Mapping

import pytest

from conftest import Databases, make_settings, model_settings
from support.client import ApiClient
from support.gateway import RunningGateway
from support.langgraph_dev import langgraph_dev
from support.scripted_openai import ScriptedOpenAI


@pytest.fixture(autouse=True)
def _logged_rejections(caplog: pytest.LogCaptureFixture) -> None:
    """Show what the LangGraph server has rejected if a test fails."""
    caplog.set_level(logging.DEBUG, "agent.remote.server")


@pytest.fixture(scope="module")
def server_settings() -> Mapping[str, str]:
    """Settings of the LangGraph server."""
    return {}


@pytest.fixture(scope="module")
def agent_url(
    shared_model: ScriptedOpenAI, server_settings: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The URL of the LangGraph server."""
    with langgraph_dev(shared_model, tmp_path_factory.mktemp("langgraph"), **server_settings) as url:
        yield url


@pytest.fixture(scope="module")
def model_gateway(databases: Databases, shared_model: ScriptedOpenAI, agent_url: str) -> Iterator[RunningGateway]:
    """A gateway whose agent runs on the LangGraph server, shared by the tests of a module."""
    settings = model_settings(shared_model, agent_url=agent_url)
    with RunningGateway(make_settings(databases.create("text-embedding-3-small"), **settings)) as running:
        yield running


@pytest.fixture
async def user(user: ApiClient) -> AsyncIterator[ApiClient]:
    """A new user, for whom nothing is formed after the test: the calls of the model would count in the next one."""
    yield user
    await user.http.post("/memories/flush")
