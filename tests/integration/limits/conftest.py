"""Gateways with limits that are set per test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from conftest import make_settings, model_settings
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI


@pytest.fixture
def start_gateway(database: str, model: ScriptedOpenAI) -> Iterator[Callable[..., RunningGateway]]:
    """Starts gateways on one database, with these limits besides the usual settings."""
    with ExitStack() as stack:

        def start(**limits: int) -> RunningGateway:
            return stack.enter_context(RunningGateway(make_settings(database, **model_settings(model, **limits))))

        yield start
