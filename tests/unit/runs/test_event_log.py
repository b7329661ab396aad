"""What a run tells: the same text from every position, however it was cut into pieces."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import InvalidInputError
from agent.errors import AgentError, ModelUnavailableError
from agent.events import (
    Event,
    LoggedEvent,
    MemoryRecalled,
    MessageCompleted,
    Position,
    RunFailed,
    RunFinished,
    RunStarted,
    Token,
    ToolFinished,
    ToolStarted,
    parse_event,
)
from agent.runs.event_log import EventLog
from agent.runs.event_store import merge_tokens, token_text
from agent.text import replace_unstorable, replace_unstorable_json
from agent.types import Hit, MessageId, RunId, ThreadId

RUN = RunId("3cba7822-c7e1-470a-ab0d-a444d0894f03")
TOOL = ToolStarted("call", "recall", {"query": "violin"})
EVENTS: list[Event] = [
    RunStarted(RUN, ThreadId("t"), MessageId("m")),
    MemoryRecalled((Hit("1", "inbox", "I play the violin.", None, "t", "ts"),), 80, degraded=False, elapsed_ms=1.5),
    TOOL,
    ToolFinished("call", "recall", "nothing", "ok", 2.5),
    Token("one"),
    MessageCompleted(MessageId("m"), "one", {"input_tokens": 1}),
    RunFinished("cancelled"),
]

pieces = st.lists(st.one_of(st.text(min_size=1, max_size=5).map(Token), st.just(TOOL)), max_size=12)


async def _heard(telling: EventLog, after: Position | None = None) -> list[LoggedEvent]:
    return [told async for told in telling.subscribe(after)]


@given(pieces, st.data())
def test_from_every_position_the_rest_follows(spoken: list[Event], data: st.DataObject) -> None:
    telling = EventLog(RUN)
    for event in [*spoken, RunFinished()]:
        telling.publish(event)
    told = asyncio.run(_heard(telling))
    recorded = list(merge_tokens(told))
    for whole in (told, recorded):
        cut = data.draw(st.integers(0, len(whole)))
        after = whole[cut - 1].position if cut else Position(RUN)
        for source in (told, recorded):
            rest = [more for one in source if (more := one.remainder(after))]
            assert token_text(whole[:cut]) + token_text(rest) == telling.text
            tools = [one for one in (*whole[:cut], *rest) if one.event == TOOL]
            assert len(tools) == spoken.count(TOOL)
        assert token_text(asyncio.run(_heard(telling, after))) == token_text(rest)


@given(pieces)
def test_positions_only_rise(spoken: list[Event]) -> None:
    telling = EventLog(RUN)
    for event in [*spoken, RunFinished()]:
        telling.publish(event)
    positions = [told.position for told in asyncio.run(_heard(telling))]
    assert positions == sorted(set(positions))
    assert all(Position.parse(str(position)) == position for position in positions)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
def test_an_event_comes_back_from_its_payload(event: Event) -> None:
    assert parse_event(event.name, event.data()) == event


def test_an_error_comes_back_from_its_payload() -> None:
    failed = RunFailed(ModelUnavailableError("try again"))
    back = parse_event(failed.name, failed.data())
    assert isinstance(back, RunFailed)
    assert (type(back.error), str(back.error)) == (ModelUnavailableError, "try again")
    unknown = parse_event(failed.name, {"problem": {"code": "of another version", "detail": ""}})
    assert isinstance(unknown, RunFailed)
    assert type(unknown.error) is AgentError


@pytest.mark.parametrize(
    "text", ["", "x", "1.2.3", f"{RUN}.1", f"{RUN}.1.2.3", f"{RUN}.1.-2", f"{RUN}.\u0661.2", f"{RUN} .1.2"]
)
def test_nothing_else_is_a_position(text: str) -> None:
    with pytest.raises(InvalidInputError):
        Position.parse(text)


def test_what_postgres_cannot_keep_is_replaced() -> None:
    assert replace_unstorable("a\0b") == "a\ufffdb"
    assert replace_unstorable("\ud83d\ude00 \ud83d é") == "😀 \ufffd é"
    assert replace_unstorable_json({"a\0": ["\0", 1, None, ("x",)]}) == {"a\ufffd": ["\ufffd", 1, None, ["x"]]}
