"""What a run tells: the same text from every position, however it was cut into pieces."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import InvalidInputError
from agent.errors import AgentError, ModelUnavailableError
from agent.events import (
    Event,
    MemoryRecalled,
    MessageCompleted,
    Position,
    RunFailed,
    RunFinished,
    RunStarted,
    Token,
    Told,
    ToolFinished,
    ToolStarted,
    event_of,
)
from agent.runs.event_log import Telling
from agent.runs.event_store import merged, said
from agent.text import storable, storable_json
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


async def _heard(telling: Telling, after: Position | None = None) -> list[Told]:
    return [told async for told in telling.listen(after)]


@given(pieces, st.data())
def test_from_every_position_the_rest_follows(spoken: list[Event], data: st.DataObject) -> None:
    telling = Telling(RUN)
    for event in [*spoken, RunFinished()]:
        telling.tell(event)
    told = asyncio.run(_heard(telling))
    recorded = list(merged(told))
    for whole in (told, recorded):
        cut = data.draw(st.integers(0, len(whole)))
        after = whole[cut - 1].at if cut else Position(RUN)
        for source in (told, recorded):
            rest = [more for one in source if (more := one.rest(after))]
            assert said(whole[:cut]) + said(rest) == telling.text
            tools = [one for one in (*whole[:cut], *rest) if one.event == TOOL]
            assert len(tools) == spoken.count(TOOL)
        assert said(asyncio.run(_heard(telling, after))) == said(rest)


@given(pieces)
def test_positions_only_rise(spoken: list[Event]) -> None:
    telling = Telling(RUN)
    for event in [*spoken, RunFinished()]:
        telling.tell(event)
    positions = [told.at for told in asyncio.run(_heard(telling))]
    assert positions == sorted(set(positions))
    assert all(Position.parse(str(position)) == position for position in positions)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
def test_an_event_comes_back_from_its_payload(event: Event) -> None:
    assert event_of(event.name, event.data()) == event


def test_an_error_comes_back_from_its_payload() -> None:
    failed = RunFailed(ModelUnavailableError("try again"))
    back = event_of(failed.name, failed.data())
    assert isinstance(back, RunFailed)
    assert (type(back.error), str(back.error)) == (ModelUnavailableError, "try again")
    unknown = event_of(failed.name, {"problem": {"code": "of another version", "detail": ""}})
    assert isinstance(unknown, RunFailed)
    assert type(unknown.error) is AgentError


@pytest.mark.parametrize(
    "text", ["", "x", "1.2.3", f"{RUN}.1", f"{RUN}.1.2.3", f"{RUN}.1.-2", f"{RUN}.\u0661.2", f"{RUN} .1.2"]
)
def test_nothing_else_is_a_position(text: str) -> None:
    with pytest.raises(InvalidInputError):
        Position.parse(text)


def test_what_postgres_cannot_keep_is_replaced() -> None:
    assert storable("a\0b") == "a\ufffdb"
    assert storable("\ud83d\ude00 \ud83d é") == "😀 \ufffd é"
    assert storable_json({"a\0": ["\0", 1, None, ("x",)]}) == {"a\ufffd": ["\ufffd", 1, None, ["x"]]}
