"""Whatever a thread holds, a model gets whole messages, within the budget, and what the user said last."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage

from agent.chat.compression import SUMMARY_HEADER, overflow
from agent.chat.repair import STUB_RESULT, repair_messages
from agent.chat.reply import PromptContext, build_prompt
from agent.chat.trim import TRUNCATION_NOTICE, token_counter, trim, truncate_message

COUNT = token_counter("")
ROOM = 300

texts = st.text(alphabet="ab é😀\n", max_size=60) | st.integers(1, 6_000).map(lambda n: "word " * n)
call_ids = st.sampled_from(["a", "b", "c"])
calls = st.lists(call_ids, max_size=3).map(
    lambda ids: [{"name": "look", "args": {"at": "it"}, "id": one, "type": "tool_call"} for one in ids]
)
unreadable = st.lists(call_ids, max_size=1).map(
    lambda ids: [{"name": "look", "args": "{", "id": one, "error": None, "type": "invalid_tool_call"} for one in ids]
)
messages: st.SearchStrategy[AnyMessage] = st.one_of(
    texts.map(HumanMessage),
    texts.map(AIMessage),
    texts.map(SystemMessage),
    st.builds(AIMessage, content=texts, tool_calls=calls, invalid_tool_calls=unreadable),
    st.builds(ToolMessage, content=texts, tool_call_id=call_ids),
)


def _with_ids(found: list[AnyMessage]) -> list[AnyMessage]:
    return [message.model_copy(update={"id": str(n)}) for n, message in enumerate(found)]


threads = st.lists(messages, max_size=30).map(_with_ids)
"""Also what no thread should ever be: results without calls, calls without results, the same id over and over."""


def _is_whole(found: list[AnyMessage]) -> bool:
    """Tell whether each call is followed by its results, and each result has a call."""
    at = 0
    while at < len(found):
        message = found[at]
        at += 1
        if isinstance(message, ToolMessage):
            return False
        wanted = [*message.tool_calls, *message.invalid_tool_calls] if isinstance(message, AIMessage) else []
        results = list(itertools.takewhile(lambda one: isinstance(one, ToolMessage), found[at:]))
        if [one.tool_call_id for one in results if isinstance(one, ToolMessage)] != [call["id"] for call in wanted]:
            return False
        at += len(results)
    return True


@settings(deadline=None)
@given(threads)
def test_a_repaired_thread_has_a_result_for_every_call_and_no_other(thread: list[AnyMessage]) -> None:
    whole = repair_messages(thread)
    assert _is_whole(whole)
    assert [one for one in whole if not isinstance(one, ToolMessage)] == [
        one for one in thread if not isinstance(one, ToolMessage)
    ]


@settings(deadline=None)
@given(threads)
def test_what_is_whole_is_not_touched(thread: list[AnyMessage]) -> None:
    whole = repair_messages(thread)
    assert all(one is other for one, other in zip(repair_messages(whole), whole, strict=True))


def test_a_result_is_made_up_only_where_there_is_none() -> None:
    call = AIMessage("", tool_calls=[{"name": "look", "args": {}, "id": one, "type": "tool_call"} for one in "ab"])
    whole = repair_messages([HumanMessage("Look."), call, ToolMessage("seen", tool_call_id="b"), HumanMessage("Well?")])
    assert [message.text for message in whole] == ["Look.", "", STUB_RESULT, "seen", "Well?"]


@settings(deadline=None)
@given(threads, st.integers(ROOM, 20_000))
def test_what_is_trimmed_keeps_to_the_budget(thread: list[AnyMessage], room: int) -> None:
    assert COUNT(trim(repair_messages(thread), max_tokens=room, count=COUNT)) <= room


@settings(deadline=None)
@given(threads, st.integers(ROOM, 20_000))
def test_a_call_and_its_results_stay_together(thread: list[AnyMessage], room: int) -> None:
    assert _is_whole(trim(repair_messages(thread), max_tokens=room, count=COUNT))


@settings(deadline=None)
@given(threads, st.integers(ROOM, 20_000))
def test_the_users_last_message_and_the_system_messages_stay(thread: list[AnyMessage], room: int) -> None:
    kept = {message.id for message in trim(repair_messages(thread), max_tokens=room, count=COUNT)}
    asked = [message.id for message in thread if isinstance(message, HumanMessage)]
    assert set(asked[-1:]) <= kept
    assert {message.id for message in thread if isinstance(message, SystemMessage)} <= kept


@settings(deadline=None)
@given(threads, st.integers(ROOM, 20_000))
def test_the_oldest_fall_out_first(thread: list[AnyMessage], room: int) -> None:
    said = [message for message in repair_messages(thread) if not isinstance(message, SystemMessage | ToolMessage)]
    kept = {message.id for message in trim(repair_messages(thread), max_tokens=room, count=COUNT)}
    asked = next((message.id for message in reversed(said) if isinstance(message, HumanMessage)), None)
    stays = [message.id in kept for message in said if message.id != asked]
    assert stays == sorted(stays)


@settings(deadline=None)
@given(threads)
def test_what_fits_is_left_as_it_is(thread: list[AnyMessage]) -> None:
    assert trim(thread, max_tokens=10_000_000, count=COUNT) == thread


@settings(deadline=None)
@given(threads, st.integers(ROOM, 20_000))
def test_what_falls_out_for_good_is_old_and_whole(thread: list[AnyMessage], room: int) -> None:
    whole = _with_ids(repair_messages(thread))
    falling = {message.id for message in overflow(whole, max_tokens=room, count=COUNT)}
    left = [message for message in whole if message.id not in falling]
    assert _is_whole(left)
    asked = [message.id for message in whole if isinstance(message, HumanMessage)]
    assert not falling & set(asked[-1:])


@settings(deadline=None)
@given(
    threads,
    st.integers(2 * ROOM, 20_000),
    st.text("tip ", max_size=900),
    st.text("sum ", min_size=1, max_size=2_400),
)
def test_a_prompt_has_one_system_message_with_one_summary(
    thread: list[AnyMessage], room: int, tip: str, summary: str
) -> None:
    note = {"entity": "look", "relation": "mentions", "value": "/etc/hosts", "confidence": 0.9, "source_turn": 1}
    asked = build_prompt(repair_messages(thread), PromptContext(tip, summary, [note], dropped_turns=1), room, COUNT)
    system = [message for message in asked if isinstance(message, SystemMessage)]
    assert asked[:1] == system
    assert system[0].text.count(SUMMARY_HEADER) <= 1
    assert COUNT(asked) <= room
    assert _is_whole(asked)


def test_a_message_that_is_too_long_is_cut_and_says_so() -> None:
    long = HumanMessage("word " * 5_000, id="1")
    [kept] = trim([HumanMessage("Before."), AIMessage("Yes."), long], max_tokens=ROOM, count=COUNT)
    assert kept.text.startswith("word word")
    assert kept.text.endswith(TRUNCATION_NOTICE)
    assert COUNT([truncate_message(long, ROOM, COUNT)]) <= ROOM
