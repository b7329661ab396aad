"""The state of a run: the order of its first events for any order of its inputs."""

from typing import Any

import pytest
from langchain_core.messages import AIMessageChunk

from agent.events import MemoryRecalled, RunStarted, Token
from agent.memory.recall.tip import NO_TIP
from agent.runs.event_log import EventLog
from agent.runs.run_state import RunState
from agent.runs.turns import StartedTurn, Turn
from agent.types import MessageId, RunId, ThreadId, UserId, UserMessage

RUN = RunId("3cba7822-c7e1-470a-ab0d-a444d0894f03")
IN_INBOX: dict[str, Any] = {"in_inbox": True}
RECALLED: dict[str, Any] = {"recalled": NO_TIP, "degraded": False}


@pytest.fixture
def state() -> RunState:
    turn = Turn(UserId("u"), ThreadId("t"), RUN, UserMessage("hello", MessageId("m")))
    return RunState(turn, StartedTurn(turn), EventLog(RUN))


def published(state: RunState) -> list[type]:
    return [type(logged.event) for logged in state.events.unsaved()]


@pytest.mark.parametrize("payloads", [[IN_INBOX, RECALLED], [RECALLED, IN_INBOX]], ids=["inbox first", "recall first"])
@pytest.mark.parametrize("token_first", [True, False], ids=["the token comes first", "the token comes last"])
def test_recall_is_published_between_run_started_and_the_first_token(
    state: RunState, payloads: list[dict[str, Any]], *, token_first: bool
) -> None:
    for payload in payloads:
        state.on_node(payload)
    if not token_first:
        state.publish_recall()
    state.on_model(AIMessageChunk(content="Hello."), 1)
    state.publish_recall()
    assert published(state) == [RunStarted, MemoryRecalled, Token]


def test_recall_is_not_published_before_the_message_is_stored(state: RunState) -> None:
    state.on_node(RECALLED)
    state.publish_recall()
    assert published(state) == []
    state.on_node(IN_INBOX)
    assert published(state) == [RunStarted, MemoryRecalled]
