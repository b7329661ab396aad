"""The tests of the main job, of threads and of the interface, with the agent on a LangGraph server.

The server forms no memories here, so the gateway's queue does, as in one process.
"""

from collections.abc import Iterator, Mapping

import pytest

from conftest import Databases, make_settings
from integration import test_main_job
from integration.conversations import test_threads
from integration.gateway import test_interface
from integration.memory import test_feedback, test_memory_control
from support.gateway import RunningGateway

for module in (test_main_job, test_threads, test_interface):
    globals().update({name: test for name, test in vars(module).items() if name.startswith("test_")})

test_a_memory_can_be_called_not_relevant = (
    test_feedback.test_a_memory_that_is_not_relevant_for_a_message_is_not_recalled_for_it_but_for_others
)

test_memory_is_paused_and_resumed = test_memory_control.test_memory_is_paused_and_resumed
test_nothing_of_a_private_conversation_is_saved = test_memory_control.test_nothing_of_a_private_conversation_is_saved


@pytest.fixture(scope="module")
def server_settings() -> Mapping[str, str]:
    """Those of the tests in one process: MiniLM, and the offline model."""
    settings = {"ENABLE_FACT_EXTRACTION": "false", "KEEPSAKE_RECALL_DEADLINE_MS": "5000"}
    return settings | dict.fromkeys(("OPENAI_BASE_URL", "OPENAI_API_KEY", "KEEPSAKE_CHAT_MODELS"), "")


@pytest.fixture(scope="module")
def shared_gateway(databases: Databases, agent_url: str) -> Iterator[RunningGateway]:
    """A gateway for the fixtures `ada` and `bob`."""
    with RunningGateway(make_settings(databases.create("minilm"), agent_url=agent_url)) as gateway:
        yield gateway
