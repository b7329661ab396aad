"""What an answer tells, in whatever order it is heard: that the message is safe, what was recalled, the first token."""

from typing import Any

import pytest
from langchain_core.messages import AIMessageChunk

from agent.events import MemoryRecalled, RunStarted, Token
from agent.runs.event_log import EventLog
from agent.runs.run_state import RunState
from agent.runs.turns import StartedTurn, Turn
from agent.types import MessageId, RecallResult, RunId, ThreadId, UserId, UserMessage

RUN = RunId("3cba7822-c7e1-470a-ab0d-a444d0894f03")
NOTED: dict[str, Any] = {"noted": True}
RECALLED: dict[str, Any] = {"recalled": RecallResult(), "tip_chars": 0}


@pytest.fixture
def answer() -> RunState:
    turn = Turn(UserId("u"), ThreadId("t"), RUN, UserMessage("hello", MessageId("m")))
    return RunState(turn, StartedTurn(turn), EventLog(RUN))


def told(answer: RunState) -> list[type]:
    return [type(one.event) for one in answer.events.unsaved()]


@pytest.mark.parametrize("payloads", [[NOTED, RECALLED], [RECALLED, NOTED]], ids=["safe", "recalled"])
@pytest.mark.parametrize("is_quick", [True, False], ids=["the token comes first", "the token comes last"])
def test_what_was_recalled_is_told_between(answer: RunState, payloads: list[dict[str, Any]], *, is_quick: bool) -> None:
    for payload in payloads:
        answer.on_node(payload)
    if not is_quick:
        answer.publish_recall()
    answer.on_model(AIMessageChunk(content="Hello."), 1)
    answer.publish_recall()
    assert told(answer) == [RunStarted, MemoryRecalled, Token]


def test_what_was_recalled_is_not_told_while_the_message_may_be_lost(answer: RunState) -> None:
    answer.on_node(RECALLED)
    answer.publish_recall()
    assert told(answer) == []
    answer.on_node(NOTED)
    assert told(answer) == [RunStarted, MemoryRecalled]
