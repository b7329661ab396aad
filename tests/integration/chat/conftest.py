"""A gateway with a small window, shared by the tests of a module."""

from collections.abc import Iterator

import pytest

from conftest import Databases, make_settings, model_settings
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

MAX_TOKENS = 2_000


@pytest.fixture(scope="module")
def shared_model() -> Iterator[ScriptedOpenAI]:
    """The model of `small_window`; use `model`."""
    with ScriptedOpenAI() as server:
        yield server


@pytest.fixture(scope="module")
def small_window(databases: Databases, shared_model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway with a small window; each test has a user of its own."""
    database = databases.create("text-embedding-3-small")
    settings = make_settings(database, **model_settings(shared_model, context_max_tokens=MAX_TOKENS))
    with RunningGateway(settings) as running:
        yield running
