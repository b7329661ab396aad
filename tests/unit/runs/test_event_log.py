"""The event log: the same text from every position, independent of token boundaries."""

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
    MemoryRecalled([Hit("1", "inbox", "I play the violin.", None, "t", "ts").as_dict()], tip_chars=80, elapsed_ms=1.5),
    TOOL,
    ToolFinished("call", "recall", "nothing", "ok", 2.5),
    Token("one"),
    MessageCompleted(MessageId("m"), "one", {"input_tokens": 1}),
    RunFinished("cancelled"),
]

event_lists = st.lists(st.one_of(st.text(min_size=1, max_size=5).map(Token), st.just(TOOL)), max_size=12)


async def _read(log: EventLog, after: Position | None = None) -> list[LoggedEvent]:
    return [event async for event in log.subscribe(after)]


@given(event_lists, st.data())
def test_every_position_is_followed_by_the_remaining_events(events: list[Event], data: st.DataObject) -> None:
    log = EventLog(RUN)
    for event in [*events, RunFinished()]:
        log.publish(event)
    logged = asyncio.run(_read(log))
    saved = list(merge_tokens(logged))
    for stream in (logged, saved):
        cut = data.draw(st.integers(0, len(stream)))
        after = stream[cut - 1].position if cut else Position(RUN)
        for source in (logged, saved):
            rest = [part for event in source if (part := event.remainder(after))]
            assert token_text(stream[:cut]) + token_text(rest) == log.text
            tools = [logged_event for logged_event in (*stream[:cut], *rest) if logged_event.event == TOOL]
            assert len(tools) == events.count(TOOL)
        assert token_text(asyncio.run(_read(log, after))) == token_text(rest)


@given(event_lists)
def test_positions_increase_strictly(events: list[Event]) -> None:
    log = EventLog(RUN)
    for event in [*events, RunFinished()]:
        log.publish(event)
    positions = [logged.position for logged in asyncio.run(_read(log))]
    assert positions == sorted(set(positions))
    assert all(Position.parse(str(position)) == position for position in positions)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.event_name)
def test_an_event_is_restored_from_its_payload(event: Event) -> None:
    assert parse_event(event.event_name, event.data()) == event
    assert parse_event(event.event_name, {**event.data(), "of_a_later_version": 1}) == event


def test_an_error_is_restored_from_its_payload() -> None:
    failed = RunFailed(ModelUnavailableError("try again"))
    restored = parse_event(failed.event_name, failed.data())
    assert isinstance(restored, RunFailed)
    assert (type(restored.error), str(restored.error)) == (ModelUnavailableError, "try again")
    unknown = parse_event(failed.event_name, {"problem": {"code": "of another version", "detail": ""}})
    assert isinstance(unknown, RunFailed)
    assert type(unknown.error) is AgentError


@pytest.mark.parametrize(
    "text", ["", "x", "1.2.3", f"{RUN}.1", f"{RUN}.1.2.3", f"{RUN}.1.-2", f"{RUN}.\u0661.2", f"{RUN} .1.2"]
)
def test_an_invalid_position_is_rejected(text: str) -> None:
    with pytest.raises(InvalidInputError):
        Position.parse(text)


def test_characters_that_postgres_cannot_store_are_replaced() -> None:
    assert replace_unstorable("a\0b") == "a\ufffdb"
    assert replace_unstorable("\ud83d\ude00 \ud83d é") == "😀 \ufffd é"
    assert replace_unstorable_json({"a\0": ["\0", 1, None, ("x",)]}) == {"a\ufffd": ["\ufffd", 1, None, ["x"]]}
