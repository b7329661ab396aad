"""What an answer tells, in whatever order it is heard: that the message is safe, what was recalled, the first token."""

from typing import Any

import pytest
from langchain_core.messages import AIMessageChunk

from agent.events import MemoryRecalled, RunStarted, Token
from agent.runs.answer import Answer
from agent.runs.event_log import Telling
from agent.runs.turns import Begun, Turn
from agent.types import MessageId, Recalled, RunId, Said, ThreadId, UserId

RUN = RunId("3cba7822-c7e1-470a-ab0d-a444d0894f03")
NOTED: dict[str, Any] = {"noted": True}
RECALLED: dict[str, Any] = {"recalled": Recalled(), "tip_chars": 0}


@pytest.fixture
def answer() -> Answer:
    turn = Turn(UserId("u"), ThreadId("t"), RUN, Said("hello", MessageId("m")))
    return Answer(turn, Begun(turn), Telling(RUN))


def told(answer: Answer) -> list[type]:
    return [type(one.event) for one in answer.telling.not_kept()]


@pytest.mark.parametrize("payloads", [[NOTED, RECALLED], [RECALLED, NOTED]], ids=["safe", "recalled"])
@pytest.mark.parametrize("is_quick", [True, False], ids=["the token comes first", "the token comes last"])
def test_what_was_recalled_is_told_between(answer: Answer, payloads: list[dict[str, Any]], *, is_quick: bool) -> None:
    for payload in payloads:
        answer.hear_node(payload)
    if not is_quick:
        answer.tell_recalled()
    answer.hear_model(AIMessageChunk(content="Hello."), 1)
    answer.tell_recalled()
    assert told(answer) == [RunStarted, MemoryRecalled, Token]


def test_what_was_recalled_is_not_told_while_the_message_may_be_lost(answer: Answer) -> None:
    answer.hear_node(RECALLED)
    answer.tell_recalled()
    assert told(answer) == []
    answer.hear_node(NOTED)
    assert told(answer) == [RunStarted, MemoryRecalled]
