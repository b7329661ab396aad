"""The tests of runs and of completions, with the agent on a LangGraph server that forms no memories."""

from collections.abc import Iterator, Mapping

import pytest

from conftest import make_settings, model_settings
from contract import test_openai_python, test_openai_python_tools
from integration.runs import test_runs
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

globals().update({name: test for name, test in vars(test_runs).items() if name.startswith("test_")})
counting_model = test_runs.counting_model
test_a_client_that_disconnects = test_openai_python.test_a_client_that_disconnects_cancels_the_answer_but_not_the_memory
test_a_response_is_streamed = test_openai_python.test_a_response_is_generated_and_streamed
test_an_answer_is_streamed = test_openai_python.test_an_answer_is_streamed_with_its_usage
test_functions_of_the_client = test_openai_python_tools.test_functions_of_the_client_are_called_by_the_client
test_memory_is_shared = test_openai_python.test_what_is_said_here_is_known_in_threads_and_the_other_way_round
test_the_same_history_adds_nothing = test_openai_python.test_the_same_history_adds_nothing


@pytest.fixture(scope="module")
def server_settings() -> Mapping[str, str]:
    """The gateway's queue forms memories."""
    return {"ENABLE_FACT_EXTRACTION": "false"}


@pytest.fixture
def model(scripted: ScriptedOpenAI) -> ScriptedOpenAI:
    """The model of the LangGraph server."""
    return scripted


@pytest.fixture
def gateway(database: str, model: ScriptedOpenAI, agent_url: str) -> Iterator[RunningGateway]:
    """A gateway for this test."""
    with RunningGateway(make_settings(database, **model_settings(model, agent_url=agent_url))) as running:
        yield running


@pytest.fixture
def second_gateway(gateway: RunningGateway, model: ScriptedOpenAI, agent_url: str) -> Iterator[RunningGateway]:
    """A second gateway on the database of `gateway`."""
    with RunningGateway(make_settings(gateway.database, **model_settings(model, agent_url=agent_url))) as running:
        yield running
