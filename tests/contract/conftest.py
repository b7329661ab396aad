"""A gateway that the clients of a module share, each test with a new user."""

from collections.abc import AsyncIterator, Iterator

import pytest
from openai import AsyncOpenAI

from conftest import Databases, make_settings, model_settings
from contract.openai_sdk import make_sdk
from support.client import ApiClient, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI


@pytest.fixture(scope="module")
def shared_model() -> Iterator[ScriptedOpenAI]:
    """The scripted model of `model_gateway`; use `model`."""
    with ScriptedOpenAI() as server:
        yield server


@pytest.fixture(scope="module")
def model_gateway(databases: Databases, shared_model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway that uses the scripted model, shared by the tests of a module."""
    settings = make_settings(databases.create("text-embedding-3-small"), **model_settings(shared_model))
    with RunningGateway(settings) as running:
        yield running


@pytest.fixture
def scripted(shared_model: ScriptedOpenAI) -> ScriptedOpenAI:
    """The scripted model of `model_gateway`, with the default script."""
    shared_model.reset()
    return shared_model


@pytest.fixture
async def user(model_gateway: RunningGateway, scripted: ScriptedOpenAI) -> AsyncIterator[ApiClient]:
    """A new user of `model_gateway`."""
    del scripted  # it has the default script
    async with signed_in(model_gateway.url) as api:
        yield api


@pytest.fixture
async def key(user: ApiClient) -> str:
    """A personal key of `user`."""
    created = await user.http.post("/me/keys", json={"name": "client"})
    return str(created.raise_for_status().json()["key"])


@pytest.fixture
def base_url(model_gateway: RunningGateway) -> str:
    """The base URL of the OpenAI API."""
    return f"{model_gateway.url}/v1"


@pytest.fixture
async def sdk(user: ApiClient) -> AsyncIterator[AsyncOpenAI]:
    """The SDK of the user of `client`, whose gateway uses the scripted model."""
    async with await make_sdk(user) as sdk:
        yield sdk
